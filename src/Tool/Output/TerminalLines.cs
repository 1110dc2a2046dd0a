namespace BufferedMessages.Tool;

/// <summary>The codes by which a terminal draws a line again in its place. One that is wrapped is two lines, of which only the last is erased.</summary>
internal static class TerminalLines
{
    /// <summary>Erases the line of the cursor, and begins it again.</summary>
    public const string Erase = "\r\e[K";

    /// <summary>Lines that are too long are cut off from now on.</summary>
    public const string Cut = "\e[?7l";

    /// <summary>They are wrapped again.</summary>
    public const string Wrap = "\e[?7h";
}
