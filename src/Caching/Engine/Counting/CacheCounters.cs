namespace BufferedMessages.Caching;

/// <summary>The counts of a cache in this process. Hits are counted by its leases.</summary>
internal sealed class CacheCounters
{
    private long _expired;
    private long _corrupt;
    private long _mismatched;
    private long _notKept;
    private long _stale;
    private long _failedRefreshes;
    private Exception? _refreshFailure;
    private long _failedSegments;
    private Exception? _segmentFailure;
    private long _evicted;
    private long _carried;
    private long _carriedBytes;

    /// <summary>Gets or sets the failure that leaves the owner of a shared cache without a queue for the changes of other processes; null if it has one, and in other processes.</summary>
    public Exception? QueueFailure
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    }

    public StripedCounter Misses { get; } = new();

    /// <summary>Gets the number of sets outside the lanes.</summary>
    public StripedCounter Sets { get; } = new();

    /// <summary>Gets the number of leases that are not hits: those of enumerations, and those of values of another schema or serializer.</summary>
    public StripedCounter OtherLeases { get; } = new();

    public void CountExpired() => Interlocked.Increment(ref _expired);

    public void CountCorrupt() => Interlocked.Increment(ref _corrupt);

    public void CountMismatched() => Interlocked.Increment(ref _mismatched);

    public void CountNotKept() => Interlocked.Increment(ref _notKept);

    public void CountStale() => Interlocked.Increment(ref _stale);

    public void CountFailedRefresh(Exception failure)
    {
        Volatile.Write(ref _refreshFailure, failure);
        Interlocked.Increment(ref _failedRefreshes);
    }

    /// <summary>Counts that the file of a segment could not be created.</summary>
    public void CountFailedSegment(Exception failure)
    {
        Volatile.Write(ref _segmentFailure, failure);
        Interlocked.Increment(ref _failedSegments);
    }

    public void CountEvicted() => Interlocked.Increment(ref _evicted);

    /// <summary>Counts an entry that was carried over, in the only thread that does so.</summary>
    public void CountCarried(long bytes)
    {
        Volatile.Write(ref _carried, _carried + 1);
        Volatile.Write(ref _carriedBytes, _carriedBytes + bytes);
    }

    /// <summary>Reads the counts, and adds the sizes of the cache.</summary>
    /// <param name="leases">The number of leases that were given to users.</param>
    /// <param name="entries">The number of entries in the cache.</param>
    /// <param name="liveBytes">The bytes of their records.</param>
    /// <param name="setsInLanes">The entries that were set in lanes.</param>
    /// <param name="writtenBytes">The bytes of the records that sets have written.</param>
    /// <param name="diskBytes">The bytes of the segment files.</param>
    /// <param name="memoryBytes">The bytes of the segments in memory.</param>
    /// <param name="indexBytes">The bytes of the index file.</param>
    public CacheStatistics Read(long leases, long entries, long liveBytes, long setsInLanes, long writtenBytes, long diskBytes, long memoryBytes, long indexBytes) => new()
    {
        Hits = Math.Max(leases - OtherLeases.Sum, 0),
        Misses = Misses.Sum,
        Sets = Sets.Sum + setsInLanes,
        Expired = Volatile.Read(ref _expired),
        Corrupt = Volatile.Read(ref _corrupt),
        Mismatched = Volatile.Read(ref _mismatched),
        NotKept = Volatile.Read(ref _notKept),
        Stale = Volatile.Read(ref _stale),
        FailedRefreshes = Volatile.Read(ref _failedRefreshes),
        RefreshFailure = Volatile.Read(ref _refreshFailure),
        QueueFailure = QueueFailure,
        FailedSegments = Volatile.Read(ref _failedSegments),
        SegmentFailure = Volatile.Read(ref _segmentFailure),
        Evicted = Volatile.Read(ref _evicted),
        Carried = Volatile.Read(ref _carried),
        CarriedBytes = Volatile.Read(ref _carriedBytes),
        WrittenBytes = writtenBytes,
        Entries = entries,
        LiveBytes = liveBytes,
        DiskBytes = diskBytes,
        MemoryBytes = memoryBytes,
        IndexBytes = indexBytes,
    };
}
