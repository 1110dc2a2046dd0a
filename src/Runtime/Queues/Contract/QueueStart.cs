using System.ComponentModel;
using System.Globalization;

namespace BufferedMessages;

/// <summary>
/// The place where a new consumer name or a reader begins, or where either continues after a seek. In a configuration, it is a text: <c>Earliest</c>, <c>Latest</c>, a position, or a time such as
/// <c>2026-11-23T04:05Z</c>.
/// </summary>
[TypeConverter(typeof(QueueStartConverter))]
public readonly struct QueueStart
{
    private enum Origin
    {
        Earliest,
        Latest,
        Position,
        Time,
    }

    private readonly Origin _origin;

    // The position, or the UTC ticks of the time.
    private readonly long _place;

    private QueueStart(Origin origin, long place = 0)
    {
        _origin = origin;
        _place = place;
    }

    /// <summary>Gets the start at the earliest message in the queue; the default.</summary>
    public static QueueStart Earliest => default;

    /// <summary>
    /// Gets the start after the last message that is published at the time of opening. It is before a message that is still being written, so that the messages after that one are delivered too.
    /// </summary>
    public static QueueStart Latest => new(Origin.Latest);

    internal bool IsLatest => _origin == Origin.Latest;

    /// <summary>Gets the position that was asked for; null if none was.</summary>
    internal long? Position => _origin == Origin.Position ? _place : null;

    /// <summary>Gets the time that was asked for; null if none was.</summary>
    internal DateTimeOffset? Time => _origin == Origin.Time ? new DateTimeOffset(_place, TimeSpan.Zero) : null;

    /// <summary>Creates a start at the message with a position, as returned by <c>Publish</c> or held by a delivery.</summary>
    /// <param name="position">Bytes from the queue's beginning.</param>
    /// <exception cref="ArgumentOutOfRangeException">The position is negative.</exception>
    public static QueueStart At(long position)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(position);
        return new QueueStart(Origin.Position, position);
    }

    /// <summary>
    /// Creates a start at the first message in the queue that was published at or after a time. It passes over only messages with an earlier time in their properties
    /// (<see cref="ProducerOptions.StampTime"/>), and segments that were full by then; messages without a time may therefore be older. It may pass over a message
    /// whose time is more than a minute later than the opening of the next segment, because its claim was held that long or the clock was set back.
    /// </summary>
    /// <param name="time">The time, by the clocks of the producers.</param>
    public static QueueStart At(DateTimeOffset time) => new(Origin.Time, time.UtcTicks);
}

/// <summary>Reads a start from the text of a configuration. Without it, the binder would silently leave the option unchanged.</summary>
internal sealed class QueueStartConverter : TypeConverter
{
    public override bool CanConvertFrom(ITypeDescriptorContext? context, Type sourceType) => sourceType == typeof(string) || base.CanConvertFrom(context, sourceType);

    public override object? ConvertFrom(ITypeDescriptorContext? context, CultureInfo? culture, object value) => value is string text ? Read(text.Trim()) : base.ConvertFrom(context, culture, value);

    private static QueueStart Read(string text) =>
        text.Equals(nameof(QueueStart.Earliest), StringComparison.OrdinalIgnoreCase) ? QueueStart.Earliest
        : text.Equals(nameof(QueueStart.Latest), StringComparison.OrdinalIgnoreCase) ? QueueStart.Latest
        : long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var position) ? QueueStart.At(position)
        : DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time) ? QueueStart.At(time)
        : throw new FormatException($"'{text}' is not a place in a queue. Write Earliest, Latest, a position, or a time such as 2026-11-23T04:05Z.");
}
