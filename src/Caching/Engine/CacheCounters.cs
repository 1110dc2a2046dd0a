namespace BufferedMessages.Caching;

/// <summary>What a cache counts in this process. Hits are counted by its leases.</summary>
internal sealed class CacheCounters
{
    private long _expired;
    private long _corrupt;
    private long _mismatched;
    private long _notKept;
    private long _evicted;
    private long _carried;

    public StripedCounter Misses { get; } = new();

    public StripedCounter Sets { get; } = new();

    /// <summary>Leases that an enumeration gave: they are no hits.</summary>
    public StripedCounter Enumerated { get; } = new();

    public void CountExpired() => Interlocked.Increment(ref _expired);

    public void CountCorrupt() => Interlocked.Increment(ref _corrupt);

    public void CountMismatched() => Interlocked.Increment(ref _mismatched);

    public void CountNotKept() => Interlocked.Increment(ref _notKept);

    public void CountEvicted() => Interlocked.Increment(ref _evicted);

    public void CountCarried() => Interlocked.Increment(ref _carried);

    /// <summary>Gives the counts together with the sizes of the cache.</summary>
    /// <param name="leases">Leases that were given to users.</param>
    /// <param name="entries">Entries in the cache.</param>
    /// <param name="diskBytes">Bytes of the segment files.</param>
    /// <param name="memoryBytes">Bytes of the segments in memory.</param>
    /// <param name="indexBytes">Bytes of the index file.</param>
    public CacheStatistics Read(long leases, long entries, long diskBytes, long memoryBytes, long indexBytes) => new()
    {
        Hits = Math.Max(leases - Enumerated.Sum, 0),
        Misses = Misses.Sum,
        Sets = Sets.Sum,
        Expired = Volatile.Read(ref _expired),
        Corrupt = Volatile.Read(ref _corrupt),
        Mismatched = Volatile.Read(ref _mismatched),
        NotKept = Volatile.Read(ref _notKept),
        Evicted = Volatile.Read(ref _evicted),
        Carried = Volatile.Read(ref _carried),
        Entries = entries,
        DiskBytes = diskBytes,
        MemoryBytes = memoryBytes,
        IndexBytes = indexBytes,
    };
}
