namespace BufferedMessages.Generator.Analysis;

/// <summary>The lines of the schema text that belong to one type.</summary>
/// <param name="Keyword"><see cref="MessageKeyword"/> or <see cref="UnionKeyword"/>.</param>
/// <param name="Name">The full name of the type.</param>
/// <param name="Lines">The lines behind the head: one per member or case.</param>
/// <param name="HasErrors">The ordinals or numbers in the code are wrong.</param>
internal sealed record TypeLayout(string Keyword, string Name, IReadOnlyList<string> Lines, bool HasErrors)
{
    public const string MessageKeyword = "message";
    public const string UnionKeyword = "union";

    /// <summary>Whether the type is a union.</summary>
    public bool IsUnion => string.Equals(Keyword, UnionKeyword, StringComparison.Ordinal);

    /// <summary>The first line.</summary>
    public string Head => $"{Keyword} {Name}";

    /// <summary>Reads a first line; null if it is none.</summary>
    public static (string Keyword, string Name)? ParseHead(string line) => line.Split(' ') switch
    {
        [MessageKeyword, var name] => (MessageKeyword, name),
        [UnionKeyword, var name] => (UnionKeyword, name),
        _ => null,
    };

    /// <summary>Reads what <see cref="ToString"/> gives.</summary>
    public static TypeLayout Parse(string text)
    {
        var lines = text.Split('\n');
        var (keyword, name) = ParseHead(lines[0])!.Value;
        return new TypeLayout(keyword, name, [.. lines.Skip(1)], HasErrors: false);
    }

    /// <summary>All lines, joined by line feeds.</summary>
    public override string ToString() => string.Join("\n", [Head, .. Lines]);
}
