namespace BufferedMessages.Caching;

/// <summary>
/// Counts of a cache in this process since it was opened, and its sizes. The numbers are read one after the other while the cache works. Immutable.
/// </summary>
public sealed class CacheStatistics
{
    internal CacheStatistics()
    {
    }

    /// <summary>Reads that found their entry.</summary>
    public long Hits { get; internal init; }

    /// <summary>Reads that did not, for whatever reason; the next three are a part of them.</summary>
    public long Misses { get; internal init; }

    /// <summary>Reads that found an entry that was expired.</summary>
    public long Expired { get; internal init; }

    /// <summary>Entries that were found damaged, by reads and otherwise.</summary>
    public long Corrupt { get; internal init; }

    /// <summary>Reads that found a message of a schema that the view cannot read, or bytes that are no message.</summary>
    public long Mismatched { get; internal init; }

    /// <summary>Entries that were set.</summary>
    public long Sets { get; internal init; }

    /// <summary>Values that <c>GetOrCreate</c> created and gave back, but could not set: there was no room at the moment.</summary>
    public long NotKept { get; internal init; }

    /// <summary>Entries that made room, though they were neither expired nor removed.</summary>
    public long Evicted { get; internal init; }

    /// <summary>Entries that were read since they were written, and were copied to another segment instead of making room.</summary>
    public long Carried { get; internal init; }

    /// <summary>Entries in the cache, expired ones included that nobody asked for since.</summary>
    public long Entries { get; internal init; }

    /// <summary>Bytes of the segment files.</summary>
    public long DiskBytes { get; internal init; }

    /// <summary>Bytes of the segments that count as mapped in memory by this process.</summary>
    public long MemoryBytes { get; internal init; }

    /// <summary>Bytes of the index file.</summary>
    public long IndexBytes { get; internal init; }
}
