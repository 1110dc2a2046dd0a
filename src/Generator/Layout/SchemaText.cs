using System.Globalization;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Layout;

/// <summary>The schema text of one type: one line per member. The runtime joins the texts of the types.</summary>
internal static class SchemaText
{
    /// <summary>Gets the lines of a message, one per ordinal, without their line feeds.</summary>
    public static IEnumerable<string> LinesOf(MessageModel message) =>
        message.Ordinals().Select(static (ordinal, number) => string.Format(
            CultureInfo.InvariantCulture,
            ordinal.Member is null ? "{0} reserved({1})" : "{0} {1} {2}",
            number,
            KindOf(ordinal.Kind),
            ordinal.Member?.Name));

    /// <summary>Gets the lines of a message, each with the notes that follow it, without their line feeds.</summary>
    public static IEnumerable<string> NotedLinesOf(MessageModel message) =>
        LinesOf(message).Zip(message.Ordinals(), static (line, ordinal) => NotesOf(ordinal.Kind).Prepend(line)).SelectMany(static lines => lines);

    /// <summary>Gets the name of a kind. It contains no spaces.</summary>
    public static string KindOf(MemberKind kind) => kind switch
    {
        ValueKind value => value.Schema,
        NullableKind nullable => nullable.Value.Schema + "?",
        StringKind => "string",
        BinaryKind => "binary",
        MessageKind message => $"message({message.Schema})",
        UnionKind union => $"union({union.Schema})",
        ListKind list => $"list({KindOf(list.Element)})",
        DictionaryKind dictionary => $"dictionary({KindOf(dictionary.Key)},{KindOf(dictionary.Value)})",
        SetKind set => $"set({KindOf(set.Element)})",
        ConvertedKind converted => KindOf(converted.Wire),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, message: null),
    };

    // In the order of the enums and structs in the kind.
    private static IEnumerable<string> NotesOf(MemberKind kind) => kind switch
    {
        ValueKind value => value.Notes,
        NullableKind nullable => nullable.Value.Notes,
        ListKind list => NotesOf(list.Element),
        DictionaryKind dictionary => NotesOf(dictionary.Key).Concat(NotesOf(dictionary.Value)),
        SetKind set => NotesOf(set.Element),
        ConvertedKind converted => NotesOf(converted.Wire),
        _ => [],
    };

    /// <summary>Gets the lines of a union, one per number, without their line feeds.</summary>
    public static IEnumerable<string> LinesOf(UnionModel union) =>
        union.Cases
            .Select(static found => (found.Number, Text: $"{KindOf(found.Message)} {found.Name}"))
            .Concat(union.Reserved.Select(static number => (Number: number, Text: "reserved")))
            .OrderBy(static line => line.Number)
            .Select(static line => string.Format(CultureInfo.InvariantCulture, "{0} {1}", line.Number, line.Text));

    /// <summary>Gets the messages and unions that members or reserved ordinals use, in the order of first use.</summary>
    public static IEnumerable<ReferenceKind> References(MessageModel message) =>
        message.Ordinals()
            .Select(static ordinal => ordinal.Kind.Innermost())
            .OfType<ReferenceKind>()
            .GroupBy(static used => used.Block, StringComparer.Ordinal)
            .Select(uses => uses.First());
}
