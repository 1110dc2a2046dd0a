namespace BufferedMessages.Tool;

/// <summary>Faults of expressions and templates, with a caret at the place.</summary>
internal static class ExpressionFault
{
    /// <summary>Reports a mistake at a place.</summary>
    /// <param name="text">The expression.</param>
    /// <param name="position">The index of the first character that is wrong.</param>
    /// <param name="fault">The fault, as a sentence.</param>
    public static ToolException At(string text, int position, string fault)
    {
        // Escaped characters are longer: the caret counts them as they are shown.
        var before = TerminalText.Escape(text[..position]);
        return new ToolException($"{before}{TerminalText.Escape(text[position..])}\n{new string(' ', TextWidth.Of(before))}^\n{fault}");
    }
}
