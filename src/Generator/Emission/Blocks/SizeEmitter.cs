using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The code that adds up the payload sizes of a message.</summary>
internal static class SizeEmitter
{
    /// <summary>Gets the call for one member; null if it has no payload.</summary>
    public static string? Call(EmittedMember member) => Call(member, member.Kind, "source." + member.Model.Identifier);

    private static string? Call(EmittedMember member, MemberKind kind, string source) => kind switch
    {
        ConvertedKind converted => Call(member, converted.Wire, $"{converted.Adapter}.ToWire({source})"),
        ValueKind or NullableKind => null,
        StringKind => $"AddString({source})",
        BinaryKind => $"AddBinary({RuntimeNames.Elements}({source}))",
        MessageKind message => $"AddMessage<{RuntimeNames.SourceAndBlockOf(message)}>({source}, depth)",
        UnionKind union => $"AddUnion<{RuntimeNames.SourceAndBlockOf(union.Type)}>({source}, depth)",
        DictionaryKind dictionary => $"AddDictionary<{member.Storage.DictionaryArguments(dictionary)}>({source}, depth)",
        SetKind set => $"AddSet<{StorageTypes.SetArguments(set)}>({source})",
        ListKind { IsContiguous: false } list => $"AddSequence<{member.Storage.ListArguments(list)}>({source}, depth)",
        ListKind list => ListCall(member, list, $"{RuntimeNames.Elements}({source})"),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, message: null),
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
