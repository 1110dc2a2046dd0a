using System.Globalization;

namespace BufferedMessages;

/// <summary>The rule of the wire format that a message breaks, and the place.</summary>
public readonly struct MessageError
{
    private readonly string? _path;
    private readonly string? _rule;

    internal MessageError(string path, int offset, string rule)
    {
        _path = path;
        Offset = offset;
        _rule = rule;
    }

    /// <summary>Gets the member, for example <c>Orders[3].Lines[0].Sku</c> or <c>Totals.Values[2]</c>; empty for the message itself.</summary>
    public string Path => _path ?? "";

    /// <summary>Gets the bytes from the start of the message to the place that breaks the rule.</summary>
    public int Offset { get; }

    /// <summary>Gets the fault, as a sentence without a full stop; empty for the default value.</summary>
    public string Rule => _rule ?? "";

    /// <summary>Returns all of it in one line, for example <c>Lines[0].Sku, byte 120: a string is not UTF-8</c>.</summary>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{(Path.Length == 0 ? "the message" : Path)}, byte {Offset}: {Rule}");
}
