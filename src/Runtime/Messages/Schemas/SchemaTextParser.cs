using System.Globalization;

namespace BufferedMessages;

/// <summary>The parser of the lines of a schema text; docs/format/schema.md has the grammar.</summary>
internal static class SchemaTextParser
{
    /// <summary>The word for a reserved case, in place of its kind.</summary>
    public const string Reserved = "reserved";

    /// <summary>The text before the kind of a reserved member.</summary>
    public const string ReservedPrefix = Reserved + "(";

    /// <summary>Reads the types, of which there is one at least.</summary>
    /// <exception cref="FormatException">A line is wrong.</exception>
    public static List<SchemaSection> Sections(string text)
    {
        if (!text.EndsWith('\n'))
        {
            throw new FormatException("The schema text is empty, or cut off: its last line must end with a line feed.");
        }

        var sections = new List<SchemaSection>();
        foreach (var (index, line) in text[..^1].Split('\n').Index())
        {
            Read(new SchemaLine(index + 1, line), sections);
        }

        return sections;
    }

    private static void Read(SchemaLine line, List<SchemaSection> sections)
    {
        switch (line.Text.Split(' '))
        {
            case [SchemaMessage.Keyword, { Length: > 0 } name]:
                sections.Add(new SchemaSection(new SchemaMessage(name), line));
                break;
            case [SchemaUnion.Keyword, { Length: > 0 } name]:
                sections.Add(new SchemaSection(new SchemaUnion(name), line));
                break;
            case { } when sections is []:
                throw line.Wrong("the first line must be 'message Name' or 'union Name'");
            case { } when SchemaNotes.IsNote(line.Text):
                break;
            case [""]:
                throw line.Wrong("an empty line ends a version of the schema, and this text must be of one version. Divide the text there");
            case [var number, ..] words:
                var section = sections[^1];
                RequireNumber(line, number, section.NextNumber);
                if (section.Type is SchemaUnion)
                {
                    section.AddCase(CaseOf(line, words));
                }
                else
                {
                    AddMember(line, words, section);
                }

                break;
        }
    }

    private static void RequireNumber(SchemaLine line, string number, int expected)
    {
        if (number != expected.ToString(CultureInfo.InvariantCulture))
        {
            throw line.Wrong(string.Create(CultureInfo.InvariantCulture, $"it must begin with the number {expected}, since numbers ascend without gaps, or be the first line of the next type"));
        }
    }

    // "ordinal kind name", or "ordinal reserved(kind)".
    private static void AddMember(SchemaLine line, string[] words, SchemaSection section)
    {
        switch (words)
        {
            case [_, var kind, { Length: > 0 } name]:
                section.AddMember(name, SchemaKindParser.Parse(line, kind));
                break;
            case [_, var kind] when kind.StartsWith(ReservedPrefix, StringComparison.Ordinal) && kind.EndsWith(')'):
                section.AddMember(name: null, SchemaKindParser.Parse(line, kind.AsSpan()[ReservedPrefix.Length..^1]));
                break;
            default:
                throw line.Wrong("a member is a number, a kind and a name, or a number and 'reserved(kind)'");
        }
    }

    // "number message(name) name", or "number reserved".
    private static SchemaCase? CaseOf(SchemaLine line, string[] words) => words switch
    {
        [_, var kind, { Length: > 0 } name] when SchemaKindParser.Parse(line, kind) is SchemaMessage message => new SchemaCase(name, message),
        [_, Reserved] => null,
        _ => throw line.Wrong("a case is a number, a message and a name, or a number and 'reserved'"),
    };
}
