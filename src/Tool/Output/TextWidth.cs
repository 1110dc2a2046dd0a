using System.Globalization;
using System.Text;

namespace BufferedMessages.Tool;

/// <summary>The columns that a terminal needs for a text: two for a letter of Chinese, Japanese or Korean and for most emoji, none for a mark on a letter.</summary>
internal static class TextWidth
{
    // The blocks of Unicode whose characters are wide.
    private static readonly (int First, int Last)[] Wide =
    [
        (0x1100, 0x115F), (0x2E80, 0x303E), (0x3041, 0xA4CF), (0xA960, 0xA97F), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFE30, 0xFE6F), (0xFF00, 0xFF60), (0xFFE0, 0xFFE6),
        (0x1B000, 0x1B2FF), (0x1F300, 0x1F64F), (0x1F680, 0x1F6FF), (0x1F900, 0x1F9FF), (0x1FA70, 0x1FAFF), (0x20000, 0x3FFFD),
    ];

    /// <summary>Counts the columns of a text without control characters.</summary>
    public static int Of(string text)
    {
        var columns = 0;
        foreach (var letter in text.EnumerateRunes())
        {
            columns += Of(letter);
        }

        return columns;
    }

    /// <summary>Counts the columns of a letter.</summary>
    public static int Of(Rune letter) =>
        letter.IsAscii ? 1
        : Rune.GetUnicodeCategory(letter) is UnicodeCategory.NonSpacingMark or UnicodeCategory.EnclosingMark ? 0
        : Array.Exists(Wide, block => block.First <= letter.Value && letter.Value <= block.Last) ? 2
        : 1;
}
