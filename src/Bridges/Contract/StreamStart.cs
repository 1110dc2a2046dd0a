using System.ComponentModel;
using System.Globalization;

namespace BufferedMessages.Bridges;

/// <summary>
/// The place in a stream where reading begins. In a configuration it is a text: <c>Earliest</c>, <c>Latest</c>, an offset such as <c>17</c> or <c>3-4096</c>, or a time such as <c>2026-11-23T04:05Z</c>.
/// </summary>
[TypeConverter(typeof(StreamStartConverter))]
public readonly struct StreamStart
{
    private StreamStart(StreamOffset? offset, DateTimeOffset? time, bool isLatest)
    {
        Offset = offset;
        Time = time;
        IsLatest = isLatest;
    }

    /// <summary>Gets the start at the first entry that the broker still has; the default.</summary>
    public static StreamStart Earliest => default;

    /// <summary>Gets the start after the last entry: only entries that are appended from now on are read.</summary>
    public static StreamStart Latest => new(null, null, isLatest: true);

    /// <summary>Gets the offset to start at; null if there is none.</summary>
    public StreamOffset? Offset { get; }

    /// <summary>Gets the time to start at; null if there is none.</summary>
    public DateTimeOffset? Time { get; }

    /// <summary>Gets whether the start is after the last entry.</summary>
    public bool IsLatest { get; }

    /// <summary>Whether the start is at the first entry.</summary>
    internal bool IsEarliest => !IsLatest && Offset is null && Time is null;

    /// <summary>Creates a start at the entry with an offset.</summary>
    /// <param name="offset">The offset of an entry that was read earlier.</param>
    public static StreamStart At(StreamOffset offset) => new(offset, null, isLatest: false);

    /// <summary>Creates a start at the first entry that was appended at or after a time, as exactly as the broker knows it.</summary>
    /// <param name="time">The time, by the broker's clock.</param>
    public static StreamStart At(DateTimeOffset time) => new(null, time, isLatest: false);
}

/// <summary>Reads a start from the text of a configuration. Without it, the binder would silently leave the option unchanged.</summary>
internal sealed class StreamStartConverter : TypeConverter
{
    public override bool CanConvertFrom(ITypeDescriptorContext? context, Type sourceType) => sourceType == typeof(string) || base.CanConvertFrom(context, sourceType);

    public override object? ConvertFrom(ITypeDescriptorContext? context, CultureInfo? culture, object value) => value is string text ? Read(text.Trim()) : base.ConvertFrom(context, culture, value);

    private static StreamStart Read(string text) =>
        text.Equals(nameof(StreamStart.Earliest), StringComparison.OrdinalIgnoreCase) ? StreamStart.Earliest
        : text.Equals(nameof(StreamStart.Latest), StringComparison.OrdinalIgnoreCase) ? StreamStart.Latest
        : StreamOffset.TryParse(text, out var offset) ? StreamStart.At(offset)
        : DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time) ? StreamStart.At(time)
        : throw new FormatException($"'{text}' is not a place in a stream. Write Earliest, Latest, an offset such as 17 or 3-4096, or a time such as 2026-11-23T04:05Z.");
}
