using System.Globalization;

namespace BufferedMessages;

/// <summary>Where a message breaks a rule of the wire format, and which one.</summary>
/// <param name="Path">The member, for example <c>Orders[3].Lines[0].Sku</c> or <c>Totals.Values[2]</c>; empty for the message itself.</param>
/// <param name="Offset">Bytes from the start of the message to what breaks the rule.</param>
/// <param name="Rule">What is wrong, as a sentence without a full stop.</param>
public readonly record struct MessageError(string Path, int Offset, string Rule)
{
    /// <summary>All of it in one line, for example <c>Lines[0].Sku, byte 120: a string is not UTF-8</c>.</summary>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{(string.IsNullOrEmpty(Path) ? "the message" : Path)}, byte {Offset}: {Rule}");
}
