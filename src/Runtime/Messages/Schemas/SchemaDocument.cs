using System.Globalization;

namespace BufferedMessages;

/// <summary>A schema text, read: its types and the places of their members, and its unions.</summary>
internal sealed class SchemaDocument
{
    private const string MessagePrefix = "message ";
    private const string UnionPrefix = "union ";
    private const string ReservedCase = "reserved";
    private const string ReservedPrefix = ReservedCase + "(";

    private readonly Dictionary<string, SchemaType> _types = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Dictionary<int, SchemaCase>> _unions = new(StringComparer.Ordinal);

    private SchemaDocument(IReadOnlyList<(SchemaReference Type, List<string> Lines)> sections)
    {
        foreach (var (type, lines) in sections)
        {
            if (type is SchemaUnion)
            {
                _unions[type.TypeName] = ParseCases(lines);
            }
            else
            {
                _types[type.TypeName] = SchemaType.Of(type.TypeName, lines.Select(ParseMember));
            }
        }

        Root = sections is [var root, ..] ? root.Type : throw new FormatException("The schema text has no line 'message Name' or 'union Name'.");
    }

    /// <summary>What the message itself is.</summary>
    public SchemaReference Root { get; }

    /// <summary>Reads a schema text.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static SchemaDocument Parse(string text)
    {
        var sections = new List<(SchemaReference Type, List<string> Lines)>();
        foreach (var line in text.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            if (ParseHead(line) is { } type)
            {
                sections.Add((type, []));
            }
            else
            {
                (sections is [.., var section] ? section.Lines : throw Wrong(line)).Add(line);
            }
        }

        return new SchemaDocument(sections);
    }

    /// <summary>The type of a message.</summary>
    /// <exception cref="FormatException">The text does not describe it.</exception>
    public SchemaType TypeOf(SchemaMessage message) => _types.TryGetValue(message.TypeName, out var type) ? type : throw Missing(message);

    /// <summary>The case of a union that has a number; null if it is reserved, or the union does not have it.</summary>
    /// <exception cref="FormatException">The text does not describe the union.</exception>
    public SchemaCase? CaseOf(SchemaUnion union, int number) =>
        _unions.TryGetValue(union.TypeName, out var cases) ? cases.GetValueOrDefault(number) : throw Missing(union);

    private static FormatException Missing(SchemaReference reference) => new($"The schema text does not describe '{reference.TypeName}'.");

    private static FormatException Wrong(string line) => new($"'{line}' is no line of a schema text: it needs a number, a kind and a name.");

    private static SchemaReference? ParseHead(string line) =>
        line.StartsWith(MessagePrefix, StringComparison.Ordinal) ? new SchemaMessage(line[MessagePrefix.Length..])
        : line.StartsWith(UnionPrefix, StringComparison.Ordinal) ? new SchemaUnion(line[UnionPrefix.Length..])
        : null;

    // "ordinal kind name", or "ordinal reserved(kind)".
    private static (string? Name, SchemaKind Kind) ParseMember(string line) => line.Split(' ') switch
    {
        [_, var kind, var name] => (name, SchemaKindParser.Parse(kind)),
        [_, var reserved] when reserved.StartsWith(ReservedPrefix, StringComparison.Ordinal) && reserved.EndsWith(')') =>
            (null, SchemaKindParser.Parse(reserved.AsSpan()[ReservedPrefix.Length..^1])),
        _ => throw Wrong(line),
    };

    // "number message(name) name", or "number reserved".
    private static Dictionary<int, SchemaCase> ParseCases(List<string> lines)
    {
        var cases = new Dictionary<int, SchemaCase>();
        foreach (var line in lines)
        {
            switch (line.Split(' '))
            {
                case [var number, var kind, var name]
                    when ushort.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var value) && SchemaKindParser.Parse(kind) is SchemaMessage message:
                    cases[value] = new SchemaCase(name, message);
                    break;
                case [_, ReservedCase]:
                    break;
                default:
                    throw Wrong(line);
            }
        }

        return cases;
    }
}
