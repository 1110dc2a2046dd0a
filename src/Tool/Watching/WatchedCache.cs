using BufferedMessages.Caching;

namespace BufferedMessages.Tool;

/// <summary>A cache that is sampled again and again, by its control file alone. Serves one thread at a time.</summary>
/// <param name="path">The folder of the cache.</param>
internal sealed class WatchedCache(string path)
{
    private ulong? _lastSequence;
    private TimeSpan _lastTime;

    /// <summary>Gets the folder of the cache.</summary>
    public string Path { get; } = path;

    /// <summary>Gets the name of its folder.</summary>
    public string Name { get; } = System.IO.Path.GetFileName(path);

    /// <summary>Gets the entries and removals that were written, a second.</summary>
    public double Writes { get; private set; }

    /// <summary>Gets the number of entries.</summary>
    public long Entries { get; private set; }

    /// <summary>Gets the number of segments with entries.</summary>
    public int Segments { get; private set; }

    /// <summary>Gets the bytes of a segment.</summary>
    public long SegmentBytes { get; private set; }

    /// <summary>Gets the process that opened the cache for writing last; 0 if it closed it.</summary>
    public int Writer { get; private set; }

    /// <summary>Gets the reason why the last sample failed; null if it did not.</summary>
    public string? Failure { get; private set; }

    /// <summary>Gets the writes a second of the last minute.</summary>
    public RateHistory History { get; } = new();

    /// <summary>Takes a sample.</summary>
    public void Sample(TimeSpan time)
    {
        try
        {
            Read(CacheControl.Open(Path, FileAccess.Read), time);
            Failure = null;
        }
        catch (Exception exception) when (exception is CacheCorruptedException or IOException or UnauthorizedAccessException or NotSupportedException)
        {
            Failure = exception.Message;
        }
    }

    private void Read(CacheControl control, TimeSpan time)
    {
        var sequence = Volatile.Read(ref control.Header.Sequence);
        Entries = control.Entries;
        Writer = Volatile.Read(ref control.Header.WriterProcess);
        SegmentBytes = control.SegmentBytes;
        Segments = Enumerable.Range(0, control.SlotCount).Count(slot => Volatile.Read(ref control.Slot(slot).State) == SlotState.Open);

        // A cache that was made again counts from the beginning.
        if (_lastSequence is { } last && last <= sequence && time > _lastTime)
        {
            Writes = (sequence - last) / (time - _lastTime).TotalSeconds;
            History.Add(time, Writes);
        }

        (_lastSequence, _lastTime) = (sequence, time);
    }
}
