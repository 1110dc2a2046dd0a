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

    /// <param name="leases">Leases that were given to users.</param>
    public CacheStatistics Read(long leases) => new()
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
    };
}
