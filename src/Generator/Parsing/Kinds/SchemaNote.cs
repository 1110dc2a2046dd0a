namespace BufferedMessages.Generator.Parsing;

/// <summary>The notes of the schema text: lines that begin with #, by which programs without the C# types show the names of enum members and fields. docs/format/schema.md has their form.</summary>
internal static class SchemaNote
{
    // A note of more names has none, and neither has that of an inline array, whose elements have none.
    private const int MaxNames = 64;

    /// <summary>Gets the note of an enum.</summary>
    /// <param name="members">Each member as <c>Name=Value</c>, in the order of declaration.</param>
    public static string OfEnum(IEnumerable<string> members) => Of("#enum", members);

    /// <summary>Gets the note of a struct.</summary>
    /// <param name="fields">The names of the fields, in the order of the schema text.</param>
    public static string OfFields(IEnumerable<string> fields) => Of("#fields", fields);

    private static string Of(string word, IEnumerable<string> names)
    {
        var some = names.Take(MaxNames + 1).ToList();
        return string.Join(" ", some.Count > MaxNames || some.Contains("") ? [word] : [word, .. some]);
    }
}
