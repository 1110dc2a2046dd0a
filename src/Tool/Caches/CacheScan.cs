namespace BufferedMessages.Tool;

/// <summary>
/// All entries of a cache, found without its index: of each key the record with the largest sequence number counts. Keys and places are kept in memory, values stay in their files.
/// </summary>
internal sealed class CacheScan
{
    private CacheScan(CacheFolder cache) => Cache = cache;

    /// <summary>Gets the cache.</summary>
    public CacheFolder Cache { get; }

    /// <summary>Gets the entries that are not expired, in the order of their keys' bytes.</summary>
    public IReadOnlyList<CacheRecordFound> Entries { get; private set; } = [];

    /// <summary>Gets the records that are damaged.</summary>
    public List<CacheRecordFound> Damaged { get; } = [];

    /// <summary>Gets the number of whole records, replaced ones too.</summary>
    public long Records { get; private set; }

    /// <summary>Gets the bytes of keys and values of the whole records.</summary>
    public long Bytes { get; private set; }

    /// <summary>Gets the number of entries that are expired.</summary>
    public long Expired { get; private set; }

    /// <summary>Gets the number of segment files.</summary>
    public int Segments { get; private set; }

    /// <summary>Reads all segments.</summary>
    public static CacheScan Of(string folder, CancellationToken token)
    {
        var scan = new CacheScan(CacheFolder.Open(folder));
        var newest = new Dictionary<byte[], CacheRecordFound>(CacheKeyOrder.Instance);
        foreach (var (slot, file) in scan.Cache.Segments())
        {
            scan.Segments++;
            scan.Read(slot, file, newest, token);
        }

        var now = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
        var alive = newest.Values.ToLookup(record => record.ExpiresAt != 0 && record.ExpiresAt <= now);
        scan.Expired = alive[true].LongCount();
        scan.Entries = [.. alive[false].OrderBy(static record => record.Key, CacheKeyOrder.Instance)];
        return scan;
    }

    private void Read(int slot, string file, Dictionary<byte[], CacheRecordFound> newest, CancellationToken token)
    {
        using var segment = new CacheSegmentFile(Cache, slot, file);
        foreach (var record in segment.Records())
        {
            token.ThrowIfCancellationRequested();
            if (record.Fault is not null)
            {
                Damaged.Add(record);
                continue;
            }

            Records++;
            Bytes += record.Key.Length + record.ValueBytes;
            if (!newest.TryGetValue(record.Key, out var known) || known.Sequence < record.Sequence)
            {
                newest[record.Key] = record;
            }
        }
    }
}
