namespace BufferedMessages.Queues;

/// <summary>
/// A participant that the metrics observe. It is held weakly: one that was never closed is collected, and then releases its lease.
/// All calls come one at a time, and none after the participant was closed.
/// </summary>
internal sealed class MeteredParticipant(Participant participant)
{
    private readonly WeakReference<Participant> _participant = new(participant);

    /// <summary>The queue's directory.</summary>
    public string Directory { get; } = participant.Queue.Directory;

    public MetricSeries Series { get; } = MetricSeries.Of(participant);

    /// <summary>Its counts at the last observation.</summary>
    public ParticipantCounts LastSeen { get; private set; }

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

    /// <summary>Reads its name's lag; a damaged queue has none.</summary>
    public bool TryReadLag(out long lag)
    {
        lag = 0;
        if (!_participant.TryGetTarget(out var alive))
        {
            return false;
        }

        try
        {
            var (control, segments) = (alive.Queue.Control, alive.Queue.Segments);
            var position = Math.Max(Volatile.Read(ref control.Cursor(alive.CursorIndex).Position), segments.First * control.SegmentBytes);
            lag = Math.Max(PublishedPosition.Of(segments) - position, 0);
            return true;
        }
        catch (QueueCorruptedException)
        {
            return false;
        }
    }
}
