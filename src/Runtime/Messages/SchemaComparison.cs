namespace BufferedMessages;

/// <summary>Compares two schema texts: the same ordinal must be of the same kind; names do not matter.</summary>
internal static class SchemaComparison
{
    private const string TypePrefix = "message ";
    private const string ReferencePrefix = "message(";
    private const string ReservedPrefix = "reserved(";

    /// <summary>Requires two schemas to be compatible.</summary>
    /// <returns>Whether the first has members where the other has none: whatever is compatible with the other need not be with it.</returns>
    /// <exception cref="SchemaMismatchException">They are not; it shows both lines.</exception>
    public static bool RequireCompatible(string text, string otherText)
    {
        var types = Parse(text, out var root);
        var otherTypes = Parse(otherText, out var otherRoot);
        if (root is null || otherRoot is null)
        {
            ThrowDifferent(FirstLine(text), FirstLine(otherText));
        }

        // Types refer to each other, also in circles: each pair is compared once.
        var pairs = new HashSet<(string, string)> { (root!, otherRoot!) };
        var open = new Queue<(string, string)>(pairs);
        var hasMore = false;
        while (open.TryDequeue(out var pair))
        {
            var (name, otherName) = pair;
            if (!types.TryGetValue(name, out var members) || !otherTypes.TryGetValue(otherName, out var otherMembers))
            {
                ThrowDifferent(TypePrefix + name, TypePrefix + otherName);
                return false;
            }

            hasMore |= members.Count > otherMembers.Count;

            for (var i = 0; i < Math.Min(members.Count, otherMembers.Count); i++)
            {
                CompareKinds(members[i], otherMembers[i], (reference, otherReference) =>
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

    private static void CompareKinds(string line, string otherLine, Action<string, string> compareTypes)
    {
        var kind = KindOf(line);
        var otherKind = KindOf(otherLine);
        while (true)
        {
            var at = kind.IndexOf(ReferencePrefix, StringComparison.Ordinal);
            var otherAt = otherKind.IndexOf(ReferencePrefix, StringComparison.Ordinal);
            if (at < 0 || otherAt < 0)
            {
                if (!kind.SequenceEqual(otherKind))
                {
                    ThrowDifferent(line, otherLine);
                }

                return;
            }

            if (!kind[..at].SequenceEqual(otherKind[..otherAt]))
            {
                ThrowDifferent(line, otherLine);
            }

            compareTypes(CutReference(ref kind, at), CutReference(ref otherKind, otherAt));
        }
    }

    private static string CutReference(ref ReadOnlySpan<char> kind, int at)
    {
        var rest = kind[(at + ReferencePrefix.Length)..];
        var end = rest.IndexOf(')');
        var name = end < 0 ? rest : rest[..end];
        kind = end < 0 ? [] : rest[end..];
        return name.ToString();
    }

    // A line is "ordinal kind name" or "ordinal reserved(kind)": a reserved member keeps its kind.
    private static ReadOnlySpan<char> KindOf(string line)
    {
        var kind = line.AsSpan();
        var start = kind.IndexOf(' ') + 1;
        kind = kind[start..];
        var end = kind.IndexOf(' ');
        kind = end < 0 ? kind : kind[..end];
        return kind.StartsWith(ReservedPrefix, StringComparison.Ordinal) && kind[^1] == ')' ? kind[ReservedPrefix.Length..^1] : kind;
    }

    private static Dictionary<string, List<string>> Parse(string text, out string? root)
    {
        root = null;
        var types = new Dictionary<string, List<string>>(StringComparer.Ordinal);
        List<string>? members = null;
        foreach (var line in text.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            if (line.StartsWith(TypePrefix, StringComparison.Ordinal))
            {
                var name = line[TypePrefix.Length..];
                root ??= name;
                members = [];
                types[name] = members;
            }
            else
            {
                members?.Add(line);
            }
        }

        return types;
    }

    private static string FirstLine(string text) => text.Split('\n')[0];

    private static void ThrowDifferent(string line, string otherLine) =>
        throw new SchemaMismatchException(
            $"The schemas differ: this program has '{line}', the other side has '{otherLine}'. " +
            "A member may be renamed or added at the end, but its kind must stay: use another queue, or add a new member instead of changing this one.",
            line,
            otherLine);
}
