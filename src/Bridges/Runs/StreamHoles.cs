using System.Diagnostics;

namespace BufferedMessages.Bridges;

/// <summary>
/// The queues of which messages are missing in the stream. Until all of these holes are filled, sessions and the journal begin before the first one: one loss may have caused several.
/// </summary>
/// <param name="timeout">How long a hole may stay when a session meets it for the first time.</param>
internal sealed class StreamHoles(TimeSpan timeout)
{
    // When each hole was noticed, and the place after the furthest run that was dropped there.
    private readonly Dictionary<Guid, (long Time, ChainPlace End)> _open = [];

    // How long holes that have ended a session may stay.
    private readonly Dictionary<Guid, TimeSpan> _timeouts = [];

    /// <summary>Whether no messages are missing.</summary>
    public bool IsEmpty => _open.Count == 0;

    /// <summary>The last entry before the first hole; null if no entry was read before it.</summary>
    public ReadEntry? Before { get; private set; }

    /// <summary>The hole whose time is over first. There must be one.</summary>
    public StreamHole First => _open.Select(hole => new StreamHole(hole.Key, Stopwatch.GetElapsedTime(hole.Value.Time), TimeoutOf(hole.Key))).MinBy(static hole => hole.Rest);

    /// <summary>Notes that messages of a queue are missing, and that the run after them was dropped.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="end">The place after the run.</param>
    /// <param name="before">The last entry that was read; null if there was none.</param>
    public void Add(Guid queue, ChainPlace end, ReadEntry? before)
    {
        if (IsEmpty)
        {
            Before = before;
        }

        var (time, furthest) = _open.TryGetValue(queue, out var hole) ? hole : (Stopwatch.GetTimestamp(), end);
        _open[queue] = (time, end > furthest ? end : furthest);
    }

    /// <summary>Notes that messages of a queue came. Its hole is filled when those of the dropped runs have come too: a broker that stored runs in another order does not give them again.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="place">The place up to which they came.</param>
    public void Fill(Guid queue, ChainPlace place)
    {
        if (!_open.TryGetValue(queue, out var hole) || hole.End <= place)
        {
            _open.Remove(queue);
            _timeouts.Remove(queue);
        }
    }

    /// <summary>Doubles the time that the hole of a queue may stay when it is met again: to reach the missing messages, a session may need longer than it had.</summary>
    public void Extend(Guid queue) => _timeouts[queue] = TimeSpan.FromTicks(Math.Min(2 * TimeoutOf(queue).Ticks, BridgeOptions.Longest.Ticks));

    /// <summary>Leaves the time since a timestamp out of the age of each hole.</summary>
    /// <param name="timestamp">A timestamp of <see cref="Stopwatch"/>.</param>
    public void LeaveOutSince(long timestamp)
    {
        var passed = Stopwatch.GetTimestamp() - timestamp;
        foreach (var (queue, hole) in _open.ToArray())
        {
            _open[queue] = (hole.Time + passed, hole.End);
        }
    }

    /// <summary>Forgets all holes: the entries from before the first one on are read again.</summary>
    public void Clear() => _open.Clear();

    private TimeSpan TimeoutOf(Guid queue) => _timeouts.GetValueOrDefault(queue, timeout);
}

/// <summary>Messages of a queue that are missing in the stream.</summary>
/// <param name="Queue">The queue.</param>
/// <param name="Age">The time since they were missed.</param>
/// <param name="Timeout">How long they may be missing.</param>
internal readonly record struct StreamHole(Guid Queue, TimeSpan Age, TimeSpan Timeout)
{
    /// <summary>The time that is left; negative if they are missing for too long.</summary>
    public TimeSpan Rest => Timeout - Age;
}
