using BufferedMessages.Generator.Layout;
using BufferedMessages.Generator.Model;

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

    /// <summary>What messages about it call it.</summary>
    public string Title { get; init; } = "";

    /// <summary>Whether the code can keep the place of a member that is removed.</summary>
    public bool CanReserve { get; init; } = true;

    /// <summary>The anonymous messages in it.</summary>
    public IReadOnlyList<TypeLayout> Anonymous { get; init; } = [];

    /// <summary>Whether the type is a union.</summary>
    public bool IsUnion => string.Equals(Keyword, UnionKeyword, StringComparison.Ordinal);

    /// <summary>The first line.</summary>
    public string Head => $"{Keyword} {Name}";

    /// <summary>The layout of a message.</summary>
    public static TypeLayout Of(MessageModel message, string title, bool hasErrors) =>
        new(MessageKeyword, message.FullName, [.. SchemaText.LinesOf(message)], hasErrors)
        {
            Title = title,
            CanReserve = !message.IsAnonymous,
            Anonymous = [.. message.Anonymous().Select(part => Of(part.Message, $"{title}.{part.Message.View.Name}", hasErrors))],
        };

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
