namespace BufferedMessages;

/// <summary>Where a consumer name begins when it is opened for the first time, where a reader begins, or where either goes on.</summary>
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

    /// <summary>The first message there is; the default.</summary>
    public static QueueStart Earliest => default;

    /// <summary>After the last message that is published at the time of opening.</summary>
    public static QueueStart Latest => new(Origin.Latest);

    internal bool IsLatest => _origin == Origin.Latest;

    /// <summary>The position asked for; null when none was.</summary>
    internal long? Position => _origin == Origin.Position ? _position : null;

    /// <summary>The message at a position, as <c>Publish</c> returned it or a delivery has it.</summary>
    /// <param name="position">Bytes from the queue's beginning.</param>
    /// <exception cref="ArgumentOutOfRangeException">The position is negative.</exception>
    public static QueueStart At(long position)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(position);
        return new QueueStart(Origin.Position, position);
    }
}
