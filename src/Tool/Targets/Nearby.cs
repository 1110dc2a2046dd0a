using System.Text;

namespace BufferedMessages.Tool;

/// <summary>The help for a path that is not there: the part of it that is, the targets near it, and the closest name.</summary>
internal static class Nearby
{
    private const int MaxListed = 12;

    /// <summary>Says that a path is not there.</summary>
    /// <param name="given">The path as the user wrote it.</param>
    /// <param name="fullPath">The path.</param>
    /// <param name="kinds">The kinds that the command takes.</param>
    public static ToolException Missing(string given, string fullPath, params TargetKind[] kinds)
    {
        var wanted = Target.WordsOf(kinds);
        var text = new StringBuilder(IsThere(fullPath) ? $"'{given}' is not a {wanted}." : $"The {wanted} '{given}' does not exist.");
        var folder = NearestFolder(fullPath);
        if (folder is null)
        {
            return new ToolException(text.ToString());
        }

        if (!IsThere(fullPath) && !string.Equals(folder, Path.GetDirectoryName(fullPath), StringComparison.Ordinal))
        {
            text.Append($" The path ends at the folder '{folder}'.");
        }

        var found = Near(folder, kinds);
        var name = Path.GetFileName(fullPath);
        var closest = found.MinBy(target => Distance(name, target.Name));
        if (closest is not null && IsClose(name, closest.Name))
        {
            text.Append($" Did you mean '{closest.Path}'?");
        }

        text.Append(found.Count == 0 ? $" '{folder}' contains none." : $"\nIn '{folder}':");
        foreach (var target in found.Take(MaxListed))
        {
            text.Append($"\n  {target.Word}  {target.Name}");
        }

        return new ToolException(found.Count > MaxListed ? text.Append($"\n  and {found.Count - MaxListed} more").ToString() : text.ToString());
    }

    /// <summary>Says that a name is not there.</summary>
    /// <param name="message">The sentence that says it.</param>
    /// <param name="name">The name.</param>
    /// <param name="known">The names that are there.</param>
    public static ToolException MissingName(string message, string name, IReadOnlyCollection<string> known)
    {
        var closest = known.MinBy(other => Distance(name, other));
        var guess = closest is not null && IsClose(name, closest) ? $" Did you mean '{closest}'?" : "";
        return new ToolException($"{message}{guess} {(known.Count == 0 ? "None exists." : $"Known: {string.Join(", ", known.Take(MaxListed))}.")}");
    }

    private static bool IsThere(string path) => Directory.Exists(path) || File.Exists(path);

    private static string? NearestFolder(string path)
    {
        var folder = Path.GetDirectoryName(path);
        while (folder is not null && !Directory.Exists(folder))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return folder;
    }

    private static List<Target> Near(string folder, TargetKind[] kinds)
    {
        try
        {
            return [.. TargetListing.In(folder, isRecursive: false, CancellationToken.None).Where(target => kinds.Contains(target.Kind))];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    // Whether a name may be a mistyped form of another: about a third of its letters differ at most.
    private static bool IsClose(string name, string other) => Distance(name, other) <= Math.Max(2, name.Length / 3);

    // The number of letters to insert, remove, replace or swap.
    private static int Distance(string left, string right)
    {
        var (beforeLast, last, row) = (new int[right.Length + 1], Enumerable.Range(0, right.Length + 1).ToArray(), new int[right.Length + 1]);
        for (var i = 1; i <= left.Length; i++)
        {
            row[0] = i;
            for (var j = 1; j <= right.Length; j++)
            {
                var isSame = char.ToUpperInvariant(left[i - 1]) == char.ToUpperInvariant(right[j - 1]);
                row[j] = Math.Min(Math.Min(row[j - 1], last[j]) + 1, last[j - 1] + (isSame ? 0 : 1));
                if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
                {
                    row[j] = Math.Min(row[j], beforeLast[j - 2] + 1);
                }
            }

            (beforeLast, last, row) = (last, row, beforeLast);
        }

        return last[right.Length];
    }
}
