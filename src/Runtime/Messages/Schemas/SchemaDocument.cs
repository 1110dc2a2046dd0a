namespace BufferedMessages;

/// <summary>A parsed schema text: its types and the places of their members, and its unions. Immutable.</summary>
internal sealed class SchemaDocument
{
    private readonly Dictionary<string, SchemaType> _types;
    private readonly Dictionary<string, Dictionary<int, SchemaCase>> _unions;

    private SchemaDocument(List<SchemaSection> sections)
    {
        Root = sections[0].Type;
        _types = sections.Where(static section => section.Type is SchemaMessage)
            .ToDictionary(static section => section.Type.TypeName, static section => section.PlaceMembers(), StringComparer.Ordinal);
        _unions = sections.Where(static section => section.Type is SchemaUnion)
            .ToDictionary(static section => section.Type.TypeName, static section => section.Cases, StringComparer.Ordinal);
    }

    /// <summary>The type of the message itself.</summary>
    public SchemaReference Root { get; }

    /// <summary>Reads a schema text, and checks all of it: every line, and that each referenced type is described once and in its place.</summary>
    /// <exception cref="FormatException">It is not a schema text, or one of a newer version, or of several versions.</exception>
    public static SchemaDocument Parse(string text)
    {
        var sections = SchemaTextParser.Sections(text);
        SchemaOrder.Require(sections);
        return new SchemaDocument(sections);
    }

    /// <summary>The type of a message.</summary>
    public SchemaType TypeOf(SchemaMessage message) => _types[message.TypeName];

    /// <summary>The cases of a union by their numbers, without those that are reserved.</summary>
    public IReadOnlyDictionary<int, SchemaCase> CasesOf(SchemaUnion union) => _unions[union.TypeName];
}
