using System.Diagnostics;

namespace BufferedMessages.Bridges;

/// <summary>
/// The queues of which messages are missing in the stream. Until all of these holes are filled, sessions and the journal begin before the first one: one loss may have made several.
/// </summary>
internal sealed class StreamHoles
{
    // When each hole was noticed.
    private readonly Dictionary<Guid, long> _times = [];

    /// <summary>Whether no messages are missing.</summary>
    public bool IsEmpty => _times.Count == 0;

    /// <summary>The last entry before the first hole; null if no entry was read before it.</summary>
    public ReadEntry? Before { get; private set; }

    /// <summary>The queue whose hole was noticed first, and the time since then. There must be a hole.</summary>
    public (Guid Queue, TimeSpan Age) Oldest
    {
        get
        {
            var (queue, time) = _times.MinBy(static hole => hole.Value);
            return (queue, Stopwatch.GetElapsedTime(time));
        }
    }

    /// <summary>Notes that messages of a queue are missing.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="before">The last entry that was read; null if there was none.</param>
    public void Add(Guid queue, ReadEntry? before)
    {
        if (IsEmpty)
        {
            Before = before;
        }

        _times.TryAdd(queue, Stopwatch.GetTimestamp());
    }

    /// <summary>Notes that the missing messages of a queue came.</summary>
    public void Fill(Guid queue) => _times.Remove(queue);

    /// <summary>Forgets all holes: the entries from before the first one on are read again.</summary>
    public void Clear() => _times.Clear();
}
