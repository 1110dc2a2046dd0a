using Spectre.Console;

namespace BufferedMessages.Tool;

/// <summary>Lines of the live view.</summary>
internal static class TopText
{
    private const string More = "…";

    /// <summary>Cuts a text off, between two letters, that needs more columns than there is room for.</summary>
    public static string Clip(string text, int width)
    {
        var (end, shownEnd, columns) = (0, 0, 0);
        foreach (var letter in text.EnumerateRunes())
        {
            columns += TextWidth.Of(letter);
            if (columns > width)
            {
                return string.Concat(text.AsSpan(0, shownEnd), More);
            }

            end += letter.Utf16SequenceLength;
            shownEnd = columns <= width - More.Length ? end : shownEnd;
        }

        return text;
    }

    /// <summary>Makes a line. It is escaped and cut off here.</summary>
    public static Text Line(string text, int width, bool isBold = false) =>
        new(Clip(TerminalText.Escape(text), width), isBold ? new Style(decoration: Decoration.Bold) : Style.Plain);
}
