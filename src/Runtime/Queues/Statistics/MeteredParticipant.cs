namespace BufferedMessages.Queues;

/// <summary>
/// A participant that the metrics observe. It is held weakly: one that was never closed is collected, and then releases its lease.
/// All calls come one at a time, and none after the participant was closed.
/// </summary>
internal sealed class MeteredParticipant(Participant participant)
{
    private readonly WeakReference<Participant> _participant = new(participant);

    /// <summary>The queue's id.</summary>
    public Guid QueueId { get; } = participant.Queue.Control.Id;

    public MetricSeries Series { get; } = MetricSeries.Of(participant);

    /// <summary>Its counts at the last observation.</summary>
    public ParticipantCounts LastSeen { get; private set; } = ParticipantCounts.None;

    public bool IsAlive => _participant.TryGetTarget(out _);

    public bool IsOf(Participant other) => _participant.TryGetTarget(out var mine) && ReferenceEquals(mine, other);

    /// <summary>Reads its counts.</summary>
    public ParticipantCounts Look()
    {
        if (_participant.TryGetTarget(out var alive))
        {
            LastSeen = alive.Counts;
        }

        return LastSeen;
    }

    /// <summary>Reads a number of its queue.</summary>
    public bool TryRead(Func<ControlMap, long> select, out long number)
    {
        var isAlive = _participant.TryGetTarget(out var alive);
        number = isAlive ? select(alive!.Queue.Control) : 0;
        return isAlive;
    }

    /// <summary>Reads its name's lag in bytes; a queue that is damaged, lost, of a newer version, or not readable at the moment, has none.</summary>
    public long? ReadLag() => Read(static (segments, position, published) => Lag.Of(segments, position, published));

    /// <summary>Reads the age of its name's oldest unread message in seconds, 0 if there is none; a queue that is damaged, lost, of a newer version, or not readable at the moment, has none.</summary>
    public double? ReadAge() => Read(static (segments, position, published) => UnreadAge.Of(segments, position, published)?.TotalSeconds ?? 0);

    private T? Read<T>(Func<SegmentStore, long, long, T> read)
        where T : struct
    {
        if (!_participant.TryGetTarget(out var alive))
        {
            return null;
        }

        try
        {
            var segments = alive.Queue.Segments;
            var position = Volatile.Read(ref segments.Control.Cursor(alive.CursorIndex).Position);
            return read(segments, position, PublishedPosition.Of(segments));
        }
        catch (Exception exception) when (exception is QueueCorruptedException or IOException or UnauthorizedAccessException or NotSupportedException)
        {
            return null;
        }
    }
}
