using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The code that adds up the payload sizes of a message.</summary>
internal static class SizeEmitter
{
    /// <summary>Gets the call for one member; null if it has no payload.</summary>
    public static string? Call(EmittedMember member) => Call(member, "source." + member.Model.Identifier);

    private static string? Call(EmittedMember member, string source) => member.Kind switch
    {
        ValueKind or NullableKind => null,
        StringKind => $"AddString({source})",
        BinaryKind => $"AddBinary({RuntimeNames.Elements}({source}))",
        MessageKind message => $"AddMessage<{RuntimeNames.SourceAndBlockOf(message)}>({source}, depth)",
        UnionKind union => $"AddUnion<{RuntimeNames.SourceAndBlockOf(union.Type)}>({source}, depth)",
        DictionaryKind dictionary => $"AddDictionary<{member.Storage.DictionaryArguments(dictionary)}>({source}, depth)",
        SetKind set => $"AddSet<{StorageTypes.SetArguments(set)}>({source})",
        ListKind { IsInOnePiece: false } list => $"AddSequence<{member.Storage.ListArguments(list)}>({source}, depth)",
        ListKind list => ListCall(member, list, $"{RuntimeNames.Elements}({source})"),
        _ => throw new ArgumentOutOfRangeException(nameof(member), member.Kind, message: null),
    };

    private static string ListCall(EmittedMember member, ListKind list, string elements) => list.Element switch
    {
        ValueKind => $"AddValues({elements})",
        NullableKind => $"AddNullables({elements})",
        StringKind => $"AddStrings({elements})",
        MessageKind message => $"AddMessages<{RuntimeNames.SourceAndBlockOf(message)}>({elements}, depth)",
        _ => $"AddList<{member.Storage.ListArguments(list)}>({elements}, depth)",
    };
}
