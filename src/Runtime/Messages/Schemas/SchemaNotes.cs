namespace BufferedMessages;

/// <summary>
/// The notes of a schema text: lines that begin with #, each about the line before it. They say nothing about the bytes, so they are not part of the fingerprint
/// and of comparisons, and a reader that does not know a note ignores it.
/// </summary>
internal static class SchemaNotes
{
    private const char First = '#';

    /// <summary>Checks whether a line is a note.</summary>
    public static bool IsNote(ReadOnlySpan<char> line) => line.StartsWith(First);

    /// <summary>Gets the text without its notes.</summary>
    public static string Remove(string text)
    {
        if (!text.Contains(First))
        {
            return text;
        }

        // Without LINQ, which a program that has just begun would load for it.
        var lines = new List<string>();
        foreach (var line in text.Split('\n'))
        {
            if (!IsNote(line))
            {
                lines.Add(line);
            }
        }

        return string.Join('\n', lines);
    }
}
