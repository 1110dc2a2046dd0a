using Spectre.Console;

namespace BufferedMessages.Tool;

/// <summary>Lines of the live view.</summary>
internal static class TopText
{
    private const string More = "…";

    /// <summary>Cuts a text off that has more characters than there is room for.</summary>
    public static string Clip(string text, int width) => text.Length <= width ? text : string.Concat(text.AsSpan(0, Math.Max(width - More.Length, 0)), More);

    /// <summary>Makes a line. It is escaped and cut off here.</summary>
    public static Text Line(string text, int width, bool isBold = false) =>
        new(Clip(TerminalText.Escape(text), width), isBold ? new Style(decoration: Decoration.Bold) : Style.Plain);
}
