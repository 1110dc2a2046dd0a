namespace BufferedMessages;

/// <summary>A schema text, read: its types and the places of their members.</summary>
internal sealed class SchemaDocument
{
    private const string TypePrefix = "message ";
    private const string ReservedPrefix = "reserved(";

    private readonly Dictionary<string, SchemaType> _types = new(StringComparer.Ordinal);

    private SchemaDocument(SchemaType? root, IEnumerable<SchemaType> types)
    {
        Root = root ?? throw new FormatException("The schema text has no line 'message Name'.");
        foreach (var type in types)
        {
            _types[type.Name] = type;
        }
    }

    /// <summary>The type of the message itself.</summary>
    public SchemaType Root { get; }

    /// <summary>Reads a schema text.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static SchemaDocument Parse(string text)
    {
        var types = new List<SchemaType>();
        var members = new List<(string? Name, SchemaKind Kind)>();
        string? name = null;
        foreach (var line in text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Append(TypePrefix))
        {
            if (!line.StartsWith(TypePrefix, StringComparison.Ordinal))
            {
                members.Add(ParseMember(line));
                continue;
            }

            if (name is not null)
            {
                types.Add(SchemaType.Of(name, members));
            }

            name = line[TypePrefix.Length..];
            members = [];
        }

        return new SchemaDocument(types.FirstOrDefault(), types);
    }

    /// <summary>The type of a nested message.</summary>
    /// <exception cref="FormatException">The text does not describe it.</exception>
    public SchemaType TypeOf(SchemaMessage message) =>
        _types.TryGetValue(message.TypeName, out var type) ? type : throw new FormatException($"The schema text does not describe '{message.TypeName}'.");

    // "ordinal kind name", or "ordinal reserved(kind)".
    private static (string? Name, SchemaKind Kind) ParseMember(string line)
    {
        return line.Split(' ') switch
        {
            [_, var kind, var name] => (name, SchemaKindParser.Parse(kind)),
            [_, var reserved] when reserved.StartsWith(ReservedPrefix, StringComparison.Ordinal) && reserved.EndsWith(')') =>
                (null, SchemaKindParser.Parse(reserved.AsSpan()[ReservedPrefix.Length..^1])),
            _ => throw new FormatException($"'{line}' is no line of a schema text: it needs an ordinal, a kind and a name."),
        };
    }
}
