using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;

namespace BufferedMessages.Generator.Analysis;

/// <summary>The lines of the schema text that belong to one type.</summary>
/// <param name="Keyword"><see cref="MessageKeyword"/> or <see cref="UnionKeyword"/>.</param>
/// <param name="Name">The full name of the type.</param>
/// <param name="Lines">The lines after the head: one per member or case.</param>
/// <param name="HasErrors">The ordinals or numbers in the code are wrong.</param>
internal sealed record TypeLayout(string Keyword, string Name, IReadOnlyList<string> Lines, bool HasErrors)
{
    public const string MessageKeyword = "message";
    public const string UnionKeyword = "union";

    /// <summary>Gets the name for diagnostics.</summary>
    public string Title { get; init; } = "";

    /// <summary>Gets whether the code can reserve the ordinal of a removed member.</summary>
    public bool CanReserve { get; init; } = true;

    /// <summary>Gets the names of all cases in the code if numbers are wrong: a case with a wrong number has no line.</summary>
    public IReadOnlyList<string> Cases { get; init; } = [];

    /// <summary>Gets the anonymous messages in it.</summary>
    public IReadOnlyList<TypeLayout> Anonymous { get; init; } = [];

    /// <summary>Gets whether the type is a union.</summary>
    public bool IsUnion => string.Equals(Keyword, UnionKeyword, StringComparison.Ordinal);

    /// <summary>Gets the first line.</summary>
    public string Head => $"{Keyword} {Name}";

    /// <summary>Gets the layout of a message.</summary>
    public static TypeLayout Of(MessageModel message, string title, bool hasErrors) =>
        new(MessageKeyword, message.FullName, [.. SchemaText.LinesOf(message)], hasErrors)
        {
            Title = title,
            CanReserve = !message.IsAnonymous,
            Anonymous = [.. message.Anonymous().Select(part => Of(part.Message, $"{title}.{part.Message.View.Name}", hasErrors))],
        };

    /// <summary>Parses a first line; null if it is malformed.</summary>
    public static (string Keyword, string Name)? ParseHead(string line) => line.Split(' ') switch
    {
        [MessageKeyword, var name] => (MessageKeyword, name),
        [UnionKeyword, var name] => (UnionKeyword, name),
        _ => null,
    };

    /// <summary>Parses the output of <see cref="ToString"/>.</summary>
    public static TypeLayout Parse(string text)
    {
        var lines = text.Split('\n');
        var (keyword, name) = ParseHead(lines[0])!.Value;
        return new TypeLayout(keyword, name, [.. lines.Skip(1)], HasErrors: false);
    }

    /// <summary>Joins all lines by line feeds.</summary>
    public override string ToString() => string.Join("\n", [Head, .. Lines]);
}
