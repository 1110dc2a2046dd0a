namespace BufferedMessages;

/// <summary>
/// The notes of a schema text: lines that begin with #, each about the line before it. They say nothing about the bytes, so they are not part of the fingerprint
/// and of comparisons, and a reader that does not know a note ignores it.
/// </summary>
internal static class SchemaNotes
{
    private const char First = '#';

    /// <summary>Says whether a line is a note.</summary>
    public static bool IsNote(ReadOnlySpan<char> line) => line.StartsWith(First);

    /// <summary>Gets the text without its notes.</summary>
    public static string Remove(string text) =>
        text.Contains(First) ? string.Join('\n', text.Split('\n').Where(static line => !IsNote(line))) : text;
}
