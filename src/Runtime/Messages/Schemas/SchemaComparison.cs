using System.Globalization;

namespace BufferedMessages;

/// <summary>
/// The comparison of two schema texts: the same ordinal must be of the same kind, and the same number of a union the same case; names do not matter.
/// </summary>
internal static class SchemaComparison
{
    private const string MessagePrefix = SchemaMessage.Keyword + "(";
    private const string UnionPrefix = SchemaUnion.Keyword + "(";

    /// <summary>Requires two schemas to be compatible.</summary>
    /// <returns>
    /// Whether the first has members or cases where the other has none, or has only a reserved number: a schema that is compatible with the other need not be with it.
    /// </returns>
    /// <exception cref="SchemaMismatchException">They are not; it shows both lines.</exception>
    public static bool RequireCompatible(string text, string otherText)
    {
        var types = Parse(text, out var root);
        var otherTypes = Parse(otherText, out var otherRoot);
        if (root is null || otherRoot is null || KeywordOf(root) != KeywordOf(otherRoot))
        {
            throw Different(FirstLine(text), FirstLine(otherText));
        }

        // Types refer to each other, also in circles: each pair is compared once.
        var pairs = new HashSet<(string, string)> { (root, otherRoot) };
        var open = new Queue<(string, string)>(pairs);
        var hasMore = false;
        while (open.TryDequeue(out var pair))
        {
            var (head, otherHead) = pair;
            if (!types.TryGetValue(head, out var lines) || !otherTypes.TryGetValue(otherHead, out var otherLines))
            {
                throw Different(head, otherHead);
            }

            hasMore |= lines.Count > otherLines.Count;

            for (var i = 0; i < Math.Min(lines.Count, otherLines.Count); i++)
            {
                hasMore |= CompareKinds(lines[i], otherLines[i], (reference, otherReference) =>
                {
                    if (pairs.Add((reference, otherReference)))
                    {
                        open.Enqueue((reference, otherReference));
                    }
                });
            }
        }

        return hasMore;
    }

    /// <summary>Requires two lines of one number to be of the same kind.</summary>
    /// <returns>Whether the first is a case whose number the other reserves, so that nothing was compared.</returns>
    private static bool CompareKinds(string line, string otherLine, Action<string, string> compareTypes)
    {
        var kind = KindOf(line);
        var otherKind = KindOf(otherLine);
        if (kind is SchemaTextParser.Reserved || otherKind is SchemaTextParser.Reserved)
        {
            return kind is not SchemaTextParser.Reserved;
        }

        while (true)
        {
            var reference = NextReference(ref kind, out var before);
            var otherReference = NextReference(ref otherKind, out var otherBefore);
            if (!before.SequenceEqual(otherBefore) || reference is null != otherReference is null)
            {
                throw Different(line, otherLine);
            }

            if (reference is null)
            {
                return false;
            }

            compareTypes(reference, otherReference!);
        }
    }

    /// <summary>Cuts a kind after the first type that it refers to.</summary>
    /// <param name="kind">The kind; becomes the part after the name of that type.</param>
    /// <param name="before">The part before the name; all of it if the kind refers to no type.</param>
    /// <returns>The head of the type's lines; null if the kind refers to none.</returns>
    private static string? NextReference(ref ReadOnlySpan<char> kind, out ReadOnlySpan<char> before)
    {
        before = kind;
        var message = kind.IndexOf(MessagePrefix, StringComparison.Ordinal);
        var union = kind.IndexOf(UnionPrefix, StringComparison.Ordinal);
        if (message < 0 && union < 0)
        {
            return null;
        }

        var isUnion = message < 0 || (union >= 0 && union < message);
        before = kind[..(isUnion ? union + UnionPrefix.Length : message + MessagePrefix.Length)];
        var rest = kind[before.Length..];
        var end = rest.IndexOf(')');
        var name = end < 0 ? rest : rest[..end];
        kind = end < 0 ? [] : rest[end..];
        return $"{(isUnion ? SchemaUnion.Keyword : SchemaMessage.Keyword)} {name}";
    }

    // A line is "ordinal kind name" or "ordinal reserved(kind)": a reserved member keeps its kind. A reserved case has none.
    private static ReadOnlySpan<char> KindOf(string line)
    {
        var kind = line.AsSpan();
        var start = kind.IndexOf(' ') + 1;
        kind = kind[start..];
        var end = kind.IndexOf(' ');
        kind = end < 0 ? kind : kind[..end];
        return kind.StartsWith(SchemaTextParser.ReservedPrefix, StringComparison.Ordinal) && kind[^1] == ')' ? kind[SchemaTextParser.ReservedPrefix.Length..^1] : kind;
    }

    /// <summary>The lines of each type after its first one: line i is that of ordinal i, or of case i + 1.</summary>
    private static Dictionary<string, List<string>> Parse(string text, out string? root)
    {
        root = null;
        var types = new Dictionary<string, List<string>>(StringComparer.Ordinal);
        var (lines, first) = (default(List<string>), 0);
        foreach (var line in SchemaNotes.Remove(text).TrimEnd('\n').Split('\n'))
        {
            if (KeywordOf(line) is SchemaMessage.Keyword or SchemaUnion.Keyword)
            {
                root ??= line;
                (lines, first) = ([], KeywordOf(line) is SchemaUnion.Keyword ? 1 : 0);
                if (!types.TryAdd(line, lines))
                {
                    throw Misplaced(line, "it is there twice");
                }
            }
            else if (lines is not null)
            {
                RequireNumber(line, first + lines.Count);
                lines.Add(line);
            }
        }

        return types;
    }

    // A text of another program may lack a line: those after it must not be taken for it.
    private static void RequireNumber(string line, int expected)
    {
        var number = expected.ToString(CultureInfo.InvariantCulture);
        if (line.Length == 0)
        {
            throw Misplaced(line, "an empty line ends a version of the schema, and this text must be of one version");
        }

        if (!string.Equals(KeywordOf(line), number, StringComparison.Ordinal))
        {
            throw Misplaced(line, $"it must begin with the number {number}, since numbers ascend without gaps");
        }
    }

    private static string KeywordOf(string line) => line.Split(' ')[0];

    private static string FirstLine(string text) => text.Split('\n')[0];

    private static SchemaMismatchException Misplaced(string line, string fault) =>
        new($"The schemas cannot be compared: the line '{line}' of one of them is wrong: {fault}. Pass the text of a schema as MessageSchema.Text returns it.", line, line);

    private static SchemaMismatchException Different(string line, string otherLine) => new(
        $"The schemas differ: this program has '{line}', the other side has '{otherLine}'. " +
        "A member or a case may be renamed or added at the end, but its kind must stay: use another queue, or add a new one instead of changing this one.",
        line,
        otherLine);
}
