namespace BufferedMessages.Caching;

/// <summary>
/// The counts of a cache in this process since it was opened, and its sizes. The numbers are read one by one while the cache is in use. Immutable.
/// </summary>
public sealed class CacheStatistics
{
    internal CacheStatistics()
    {
    }

    /// <summary>Gets the number of reads that found their entry.</summary>
    public long Hits { get; internal init; }

    /// <summary>Gets the number of reads that did not find their entry, including those that found an expired or damaged one, or one of another schema or serializer.</summary>
    public long Misses { get; internal init; }

    /// <summary>Gets the number of reads that found an expired entry, or one that was removed by its tag.</summary>
    public long Expired { get; internal init; }

    /// <summary>Gets the number of damaged entries that were found, by reads or otherwise.</summary>
    public long Corrupt { get; internal init; }

    /// <summary>Gets the number of reads that found a message of a schema that the view cannot read, bytes that are not a message, or a value that was set by another serializer.</summary>
    public long Mismatched { get; internal init; }

    /// <summary>Gets the number of entries that were set.</summary>
    public long Sets { get; internal init; }

    /// <summary>
    /// Gets the number of values that <c>GetOrCreate</c> created and returned but could not set: for lack of room, because a file failed, or because the owner of a shared cache did not accept them.
    /// </summary>
    public long NotKept { get; internal init; }

    /// <summary>Gets the number of expired values that <c>GetOrCreate</c> returned because their expiry allowed it. Calls that wait for the same value count once.</summary>
    public long Stale { get; internal init; }

    /// <summary>
    /// Gets the number of exceptions thrown by create callbacks that no caller of <c>GetOrCreate</c> saw, because an earlier value was returned.
    /// </summary>
    public long FailedRefreshes { get; internal init; }

    /// <summary>Gets the number of entries that were evicted without having expired or been removed.</summary>
    public long Evicted { get; internal init; }

    /// <summary>Gets the number of entries that were copied to another segment when theirs was emptied.</summary>
    public long Carried { get; internal init; }

    /// <summary>Gets the number of bytes that sets have written, including the heads of their records.</summary>
    public long WrittenBytes { get; internal init; }

    /// <summary>The bytes of the entries that were copied to another segment, including the heads of their records.</summary>
    internal long CarriedBytes { get; init; }

    /// <summary>Gets the number of bytes written for each byte that sets have written: 1 if nothing was copied to another segment.</summary>
    public double WriteAmplification => WrittenBytes == 0 ? 1 : 1 + ((double)CarriedBytes / WrittenBytes);

    /// <summary>Gets the number of entries in the cache, including expired ones that have not been read since they expired.</summary>
    public long Entries { get; internal init; }

    /// <summary>
    /// Gets the size of the entries in the cache in bytes, including the heads of their records. Nothing is evicted while it is at most <see cref="MessageCacheOptions.DiskBytes"/> minus the
    /// reserve: three segments and an eighth of the others.
    /// </summary>
    public long LiveBytes { get; internal init; }

    /// <summary>Gets the size of the segment files in bytes.</summary>
    public long DiskBytes { get; internal init; }

    /// <summary>Gets the number of segment bytes that this process has in memory: mapped, copied, or not in their files yet.</summary>
    public long MemoryBytes { get; internal init; }

    /// <summary>Gets the size of the index file in bytes; 0 if it is closed or damaged, or cannot be opened.</summary>
    public long IndexBytes { get; internal init; }

    /// <summary>Gets the exception of the last failed refresh.</summary>
    internal Exception? RefreshFailure { get; init; }

    /// <summary>Gets the failure that leaves the owner of a shared cache without a queue for the changes of other processes; null if it has one, and in other processes.</summary>
    internal Exception? QueueFailure { get; init; }

    /// <summary>Gets how often the file of a segment could not be made, as on a full disk.</summary>
    internal long FailedSegments { get; init; }

    /// <summary>Gets the exception of the last such failure.</summary>
    internal Exception? SegmentFailure { get; init; }

    /// <summary>Adds the counts of an earlier time of this process, but not the sizes.</summary>
    internal CacheStatistics Plus(CacheStatistics earlier) => new()
    {
        Hits = Hits + earlier.Hits,
        Misses = Misses + earlier.Misses,
        Expired = Expired + earlier.Expired,
        Corrupt = Corrupt + earlier.Corrupt,
        Mismatched = Mismatched + earlier.Mismatched,
        Sets = Sets + earlier.Sets,
        NotKept = NotKept + earlier.NotKept,
        Stale = Stale + earlier.Stale,
        FailedRefreshes = FailedRefreshes + earlier.FailedRefreshes,
        RefreshFailure = RefreshFailure ?? earlier.RefreshFailure,
        QueueFailure = QueueFailure,
        FailedSegments = FailedSegments,
        SegmentFailure = SegmentFailure,
        Evicted = Evicted,
        Carried = Carried,
        WrittenBytes = WrittenBytes,
        CarriedBytes = CarriedBytes,
        Entries = Entries,
        LiveBytes = LiveBytes,
        DiskBytes = DiskBytes,
        MemoryBytes = MemoryBytes + earlier.MemoryBytes,
        IndexBytes = IndexBytes,
    };
}
