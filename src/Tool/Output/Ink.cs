namespace BufferedMessages.Tool;

/// <summary>The colors of a text for people.</summary>
internal enum Ink
{
    Plain,
    Heading,
    Good,
    Warning,
    Bad,
    Faint,
}

/// <summary>Texts in their colors, if the output has colors.</summary>
/// <param name="hasColors">Whether it does.</param>
internal sealed class Palette(bool hasColors)
{
    private const string Reset = "\e[0m";

    /// <summary>Gets whether the output has colors.</summary>
    public bool HasColors => hasColors;

    /// <summary>Paints a text that is escaped already.</summary>
    public string Paint(string text, Ink ink) => hasColors && ink != Ink.Plain && text.Length > 0 ? CodeOf(ink) + text + Reset : text;

    private static string CodeOf(Ink ink) => ink switch
    {
        Ink.Heading => "\e[1m",
        Ink.Good => "\e[32m",
        Ink.Warning => "\e[33m",
        Ink.Bad => "\e[1;31m",
        _ => "\e[2m",
    };
}
