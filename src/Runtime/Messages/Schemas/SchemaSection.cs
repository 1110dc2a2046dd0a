namespace BufferedMessages;

/// <summary>The lines of one type in a schema text: a message with its members, or a union with its cases.</summary>
/// <param name="type">The message or union, as the first line names it.</param>
/// <param name="line">That line.</param>
internal sealed class SchemaSection(SchemaReference type, SchemaLine line)
{
    private readonly List<(string? Name, SchemaKind Kind)> _members = [];
    private readonly List<SchemaReference> _references = [];

    /// <summary>The message or union, as the first line names it.</summary>
    public SchemaReference Type { get; } = type;

    /// <summary>The first line.</summary>
    public SchemaLine Line { get; } = line;

    /// <summary>The number that the next line of the type must have: ordinals begin at 0, cases at 1.</summary>
    public int NextNumber { get; private set; } = type is SchemaUnion ? 1 : 0;

    /// <summary>The cases of a union by their numbers, without those that are reserved.</summary>
    public Dictionary<int, SchemaCase> Cases { get; } = [];

    /// <summary>The types that the lines refer to, in their order.</summary>
    public IReadOnlyList<SchemaReference> References => _references;

    /// <summary>Adds a member.</summary>
    /// <param name="name">Its name; null if the ordinal is reserved.</param>
    /// <param name="kind">Its kind, also if it was removed.</param>
    public void AddMember(string? name, SchemaKind kind)
    {
        NextNumber++;
        _members.Add((name, kind));
        if (kind.Innermost is SchemaReference reference)
        {
            _references.Add(reference);
        }
    }

    /// <summary>Adds a case.</summary>
    /// <param name="found">The case; null if the number is reserved.</param>
    public void AddCase(SchemaCase? found)
    {
        var number = NextNumber++;
        if (found is not null)
        {
            Cases.Add(number, found);
            _references.Add(found.Message);
        }
    }

    /// <summary>Gives the members their places.</summary>
    /// <exception cref="FormatException">They do not fit into the largest block.</exception>
    public SchemaType PlaceMembers() => SchemaType.Of(Line, Type.TypeName, _members);
}
