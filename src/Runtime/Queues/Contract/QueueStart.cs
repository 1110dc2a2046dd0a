namespace BufferedMessages;

/// <summary>The place where a new consumer name or a reader begins, or where either continues after a seek.</summary>
public readonly struct QueueStart
{
    private enum Origin
    {
        Earliest,
        Latest,
        Position,
    }

    private readonly Origin _origin;
    private readonly long _position;

    private QueueStart(Origin origin, long position = 0)
    {
        _origin = origin;
        _position = position;
    }

    /// <summary>Gets the start at the first message there is; the default.</summary>
    public static QueueStart Earliest => default;

    /// <summary>Gets the start after the last message that is published at the time of opening.</summary>
    public static QueueStart Latest => new(Origin.Latest);

    internal bool IsLatest => _origin == Origin.Latest;

    /// <summary>Gets the position asked for; null if none was.</summary>
    internal long? Position => _origin == Origin.Position ? _position : null;

    /// <summary>Makes the start at the message of a position, as <c>Publish</c> returned it or a delivery has it.</summary>
    /// <param name="position">Bytes from the queue's beginning.</param>
    /// <exception cref="ArgumentOutOfRangeException">The position is negative.</exception>
    public static QueueStart At(long position)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(position);
        return new QueueStart(Origin.Position, position);
    }
}
