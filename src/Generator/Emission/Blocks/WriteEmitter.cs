using System.Globalization;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Emission;

/// <summary>The emitter of the code that writes the members of a message.</summary>
internal sealed class WriteEmitter(SourceWriter code)
{
    /// <summary>Emits the statement for one member.</summary>
    public void Member(EmittedMember member)
    {
        var source = "source." + member.Model.Identifier;
        code.Line(Call(member, source) + ";");
        if (member.Kind.Stored() is not ValueKind { Padding: { Count: not 0 } padding })
        {
            return;
        }

        // Constants: clearing a few bytes at known places takes a store each.
        for (var i = 0; i < padding.Count; i += 2)
        {
            code.Line(string.Format(CultureInfo.InvariantCulture, "values.Clear({0}, {1});", member.Place.Offset + padding[i], padding[i + 1]));
        }
    }

    /// <summary>Gets the call that writes a value as a member.</summary>
    public static string Call(EmittedMember member, string source) => Call(member, member.Kind, member.PlaceArguments, source);

    private static string Call(EmittedMember member, MemberKind kind, string place, string source) => kind switch
    {
        ConvertedKind converted => Call(member, converted.Wire, place, $"{converted.Adapter}.ToWire({source})"),
        ValueKind => $"values.Write({place}, {source})",
        NullableKind => $"values.WriteNullable({place}, {source}{member.PaddingArgument})",
        StringKind => $"writer.WriteString(block, {place}, {source})",
        BinaryKind => $"writer.WriteBinary(block, {place}, {RuntimeNames.Elements}({source}))",
        MessageKind message => $"writer.WriteMessage<{RuntimeNames.SourceAndBlockOf(message)}>(block, {place}, {source}, depth)",
        UnionKind union => $"writer.WriteUnion<{RuntimeNames.SourceAndBlockOf(union.Type)}>(block, {place}, {source}, depth)",
        DictionaryKind dictionary => $"writer.WriteDictionary<{member.Storage.DictionaryArguments(dictionary)}>(block, {place}, {source}, depth)",
        SetKind set => $"writer.WriteSet<{StorageTypes.SetArguments(set)}>(block, {place}, {source})",
        ListKind { IsContiguous: false } list => $"writer.WriteSequence<{member.Storage.ListArguments(list)}>(block, {place}, {source}, depth)",
        ListKind list => ListCall(member, list, place, $"{RuntimeNames.Elements}({source})"),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, message: null),
    };

    private static string ListCall(EmittedMember member, ListKind list, string place, string elements) => list.Element switch
    {
        ValueKind => $"writer.WriteValues(block, {place}, {elements}{member.PaddingArgument})",
        NullableKind => $"writer.WriteNullables(block, {place}, {elements}{member.PaddingArgument})",
        StringKind => $"writer.WriteStrings(block, {place}, {elements})",
        MessageKind message => $"writer.WriteMessages<{RuntimeNames.SourceAndBlockOf(message)}>(block, {place}, {elements}, depth)",
        _ => $"writer.WriteList<{member.Storage.ListArguments(list)}>(block, {place}, {elements}, depth)",
    };
}
