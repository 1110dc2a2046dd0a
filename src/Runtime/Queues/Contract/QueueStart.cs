namespace BufferedMessages;

/// <summary>The place where a new consumer name or a reader begins, or where either continues after a seek.</summary>
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

    /// <summary>Gets the start at the first message there is; the default.</summary>
    public static QueueStart Earliest => default;

    /// <summary>Gets the start after the last message that is published at the time of opening.</summary>
    public static QueueStart Latest => new(Origin.Latest);

    internal bool IsLatest => _origin == Origin.Latest;

    /// <summary>Gets the position asked for; null if none was.</summary>
    internal long? Position => _origin == Origin.Position ? _place : null;

    /// <summary>Gets the time asked for; null if none was.</summary>
    internal DateTimeOffset? Time => _origin == Origin.Time ? new DateTimeOffset(_place, TimeSpan.Zero) : null;

    /// <summary>Makes the start at the message of a position, as <c>Publish</c> returned it or a delivery has it.</summary>
    /// <param name="position">Bytes from the queue's beginning.</param>
    /// <exception cref="ArgumentOutOfRangeException">The position is negative.</exception>
    public static QueueStart At(long position)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(position);
        return new QueueStart(Origin.Position, position);
    }

    /// <summary>
    /// Makes the start at the first message that was published at a time or later, of those that are still there. Only messages with an earlier time in their properties
    /// (<see cref="ProducerOptions.StampTime"/>) are passed over, and segments that were full by then: messages without a time may be older than asked for.
    /// </summary>
    /// <param name="time">The time, by the clocks of the producers.</param>
    public static QueueStart At(DateTimeOffset time) => new(Origin.Time, time.UtcTicks);
}
