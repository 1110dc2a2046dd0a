using System.Globalization;

namespace BufferedMessages;

/// <summary>A line of a schema text.</summary>
/// <param name="Number">Its number, from 1 on.</param>
/// <param name="Text">The line without its line feed.</param>
internal readonly record struct SchemaLine(int Number, string Text)
{
    private const int MaxShownLength = 100;

    /// <summary>Creates the exception that names the line and its fault.</summary>
    /// <param name="fault">The fault, as a sentence without a full stop.</param>
    public FormatException Wrong(string fault)
    {
        var shown = Text.Length <= MaxShownLength ? Text : $"{Text.AsSpan(0, MaxShownLength)}...";
        return new FormatException(string.Create(CultureInfo.InvariantCulture, $"Line {Number} of the schema text, '{shown}', is wrong: {fault}."));
    }
}
