using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>A line of a comparison of two schemas: the head of a type, a member or a case.</summary>
/// <param name="Mark">= both, + only the second, - only the first, ~ renamed or removed, ! another kind; a space for a type.</param>
/// <param name="Type">The type in the first schema, or in the second if it is only there.</param>
/// <param name="Left">The line of the first.</param>
/// <param name="Right">The line of the second.</param>
internal sealed record SchemaDifference(char Mark, string Type, string? Left, string? Right)
{
    private const string ReservedCase = "reserved";
    private const string ReservedPrefix = ReservedCase + "(";

    /// <summary>Gets the color of the line.</summary>
    public Ink Ink => Mark switch
    {
        '!' => Ink.Bad,
        '+' => Ink.Good,
        '-' or '~' => Ink.Warning,
        ' ' => Ink.Heading,
        _ => Ink.Plain,
    };

    /// <summary>Compares the types that both have, the roots first, and lists those that only one has.</summary>
    public static IEnumerable<SchemaDifference> Between(MessageSchema left, MessageSchema right)
    {
        var leftTypes = TypesOf(left);
        var rightTypes = TypesOf(right);
        var leftRoot = leftTypes[0].Head;
        foreach (var (head, lines) in leftTypes)
        {
            var other = rightTypes.FindIndex(type => head == leftRoot ? type == rightTypes[0] : type.Head == head);
            yield return new SchemaDifference(' ', head, head, other < 0 ? null : rightTypes[other].Head);
            var otherLines = other < 0 ? [] : rightTypes[other].Lines;
            for (var i = 0; i < Math.Max(lines.Count, otherLines.Count); i++)
            {
                yield return Of(head, i < lines.Count ? lines[i] : null, i < otherLines.Count ? otherLines[i] : null);
            }
        }

        foreach (var (head, lines) in rightTypes.Skip(1).Where(type => leftTypes.TrueForAll(known => known.Head != type.Head)))
        {
            yield return new SchemaDifference(' ', head, Left: null, head);
            foreach (var line in lines)
            {
                yield return Of(head, left: null, line);
            }
        }
    }

    /// <summary>Writes the line for programs.</summary>
    public void Write(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteString("mark"u8, Mark.ToString());
        json.WriteString("type"u8, Type);
        json.WriteString("left"u8, Left);
        json.WriteString("right"u8, Right);
        json.WriteEndObject();
    }

    /// <summary>Gives the line for people.</summary>
    public override string ToString() => Mark switch
    {
        ' ' => Left is null ? $"{Right}  (only the second)" : Right is null ? $"{Left}  (only the first)" : Left == Right ? Left : $"{Left}  ->  {Right}",
        '=' or '-' => $"  {Mark} {Left}",
        '+' => $"  {Mark} {Right}",
        _ => $"  {Mark} {Left}  ->  {Right}",
    };

    private static SchemaDifference Of(string type, string? left, string? right)
    {
        var mark = (left, right) switch
        {
            (null, _) => '+',
            (_, null) => '-',
            _ when left == right => '=',
            _ when AreSame(KindOf(left), KindOf(right)) => '~',
            _ => '!',
        };
        return new SchemaDifference(mark, type, left, right);
    }

    // A case that was removed keeps no kind.
    private static bool AreSame(string kind, string other) => kind == ReservedCase || other == ReservedCase || kind == other;

    // "2 list(string) Tags", or "2 reserved(list(string))", which keeps its kind. The names of types do not belong to it.
    private static string KindOf(string line)
    {
        var kind = line.Split(' ')[1];
        var parts = (kind.StartsWith(ReservedPrefix, StringComparison.Ordinal) ? kind[ReservedPrefix.Length..^1] : kind).Split('(');
        for (var i = 1; i < parts.Length; i++)
        {
            parts[i] = parts[i - 1].EndsWith("message", StringComparison.Ordinal) || parts[i - 1].EndsWith("union", StringComparison.Ordinal) ? parts[i][parts[i].IndexOf(')')..] : parts[i];
        }

        return string.Join('(', parts);
    }

    private static List<(string Head, List<string> Lines)> TypesOf(MessageSchema schema)
    {
        var types = new List<(string Head, List<string> Lines)>();
        foreach (var line in schema.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            if (char.IsAsciiDigit(line[0]))
            {
                types[^1].Lines.Add(line);
            }
            else if (line[0] != '#')
            {
                types.Add((line, []));
            }
        }

        return types;
    }
}
