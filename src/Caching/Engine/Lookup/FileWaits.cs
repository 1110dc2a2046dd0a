using System.Diagnostics;

namespace BufferedMessages.Caching;

/// <summary>
/// Determines from the durations of reads whether reads of segment files have recently waited for the disk. Thread-safe, without a lock: if two threads note a read at the same time, one note may be lost.
/// </summary>
internal sealed class FileWaits
{
    // This many fast reads in a row show that the files are in the system's file cache. Reading ahead makes reads fast too, so this many are read ahead for one that waits.
    private const int FastReads = 512;

    // 50 us: longer than a copy from the file cache takes, and shorter than a disk.
    private static readonly long LongTicks = Stopwatch.Frequency / 20_000;

    private int _left = FastReads;

    /// <summary>Gets whether a read waited recently.</summary>
    public bool AreLikely => Volatile.Read(ref _left) > 0;

    /// <summary>Notes a read that has just ended.</summary>
    /// <param name="start">The timestamp of its beginning.</param>
    public void Note(long start)
    {
        var left = _left;
        if (Stopwatch.GetTimestamp() - start > LongTicks)
        {
            _left = FastReads;
        }
        else if (left > 0)
        {
            _left = left - 1;
        }
    }
}
