using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// All entries of a cache, found by an inspection and not by the index. It holds no lease and changes no byte, so a process may write to the cache at the same time; entries of a segment that
/// is reused are left out. Keys and places are kept in memory, values stay in their files. Serves one thread at a time.
/// </summary>
internal sealed class CacheListing : IDisposable
{
    private const long MemoryBytes = 1L << 30;

    private readonly CacheControl _control;
    private readonly SegmentMap _segments;

    // For a record of a chunk that is not in its segment yet.
    // SAFETY: it has EntryCopies.MaxBytes; null when it was given back.
    private unsafe byte* _room = KeptMemory.Take(EntryCopies.MaxBytes);

    private CacheListing(CacheControl control)
    {
        _control = control;
        _segments = new SegmentMap(control, MemoryBytes, isReadOnly: true);
        KeyKind = control.Header.KeyKind;
        WriterProcess = control.Header.WriterProcess;
    }

    /// <summary>Gets the folder of the cache.</summary>
    public string Path => _control.Directory;

    /// <summary>Gets the kind of the keys, as the control file numbers it.</summary>
    public int KeyKind { get; }

    /// <summary>Gets the size of a segment in bytes.</summary>
    public long SegmentBytes => _control.SegmentBytes;

    /// <summary>Gets the process that opened the cache for writing last; 0 if it closed it.</summary>
    public int WriterProcess { get; }

    /// <summary>Gets the entries that are neither expired nor removed by a tag, in the order of their keys' bytes.</summary>
    public IReadOnlyList<FoundRecord> Entries { get; private set; } = [];

    /// <summary>Gets the number of entries that are expired or removed by a tag.</summary>
    public long Expired { get; private set; }

    /// <summary>Gets the inspection, with its counts and the damage that it found.</summary>
    public required CacheInspectionReport Report { get; init; }

    /// <summary>Lists a cache.</summary>
    /// <param name="directory">Its folder.</param>
    /// <param name="token">Ends the inspection.</param>
    /// <exception cref="FileNotFoundException">The folder has no cache.</exception>
    /// <exception cref="CacheCorruptedException">The control file is damaged.</exception>
    /// <exception cref="NotSupportedException">A newer version wrote the control file.</exception>
    public static CacheListing Of(string directory, CancellationToken token)
    {
        var control = CacheControl.Open(directory, FileAccess.Read);
        var newest = new Dictionary<byte[], FoundRecord>(KeyBytesOrder.Instance);
        var cleared = Volatile.Read(ref control.Header.ClearedSequence);
        var report = CacheInspection.Run(directory, record =>
        {
            if (record.Sequence > cleared && (!newest.TryGetValue(record.Key, out var known) || known.Sequence < record.Sequence))
            {
                newest[record.Key] = record;
            }
        }, token);
        var now = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
        var alive = newest.Values.ToLookup(record => record.WasRemoved || (record.ExpiresAt != ExpiryTimes.Never && record.ExpiresAt <= now));
        return new CacheListing(control)
        {
            Report = report,
            Expired = alive[true].LongCount(),
            Entries = [.. alive[false].OrderBy(static record => record.Key, KeyBytesOrder.Instance)],
        };
    }

    /// <summary>Copies the value of an entry.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="value">The value.</param>
    /// <returns>False if it is no longer there: the segment was reused.</returns>
    // SAFETY: the room has as many bytes as a copied record at most.
    public unsafe bool TryRead(FoundRecord entry, out byte[] value)
    {
        value = [];
        var location = _segments.LocationOf(entry.Slot, entry.Offset);
        CacheRecord record = default;
        if (!_segments.TryFollow(entry.Slot)
            || (!_segments.Staged.TryCopy(location, _room, EntryCopies.MaxBytes, out record, out var isStaged) && (isStaged || !_segments.TryRead(entry.Slot, entry.Offset, out record)))
            || record.ValueBytes != entry.ValueBytes)
        {
            return false;
        }

        value = record.Value.ToArray();

        // The checksum is compared after the copy: a segment that was reused before it has another one, or another number.
        Interlocked.MemoryBarrier();
        return record.Sequence == entry.Sequence && record.IsWhole(location);
    }

    // SAFETY: the room is as it was taken.
    public unsafe void Dispose()
    {
        _segments.Release();
        if (_room is not null)
        {
            KeptMemory.GiveBack(_room, EntryCopies.MaxBytes);
            _room = null;
        }

        GC.KeepAlive(_control);
    }
}
