using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>The parts of an open cache that reading and writing share, put together.</summary>
internal sealed class CacheStore : IDisposable
{
    // At most a sixteenth of the memory budget is for the copies that reads make. Mapped memory gives it up as they are made.
    private const int CopiedPart = 16;

    // Hot copies use up to three quarters, because they hold more of the entries that are read often than mapped memory does.
    private const int HotQuarters = 3;

    private readonly EntryCopies _copies;
    private FileLease _lease;

    /// <param name="control">The control file.</param>
    /// <param name="options">The memory budget, the clock, and whether every read is verified.</param>
    /// <param name="leases">The leases of this process.</param>
    /// <param name="lease">Keeps others from writing, or, in a process that only reads, shows that the process is alive and its leases count. The store disposes it.</param>
    /// <param name="isReadOnly">Whether the process only reads.</param>
    public CacheStore(CacheControl control, MessageCacheOptions options, LeaseTable leases, FileLease lease, bool isReadOnly)
    {
        _lease = lease;
        IsReadOnly = isReadOnly;
        VerifiesAlways = options.VerifyEveryRead || IsReadOnly;
        Control = control;
        Clock = options.TimeProvider;
        DefaultExpiry = options.DefaultExpiry;
        Segments = new SegmentMap(control, options.MemoryBytes, IsReadOnly);
        _copies = new EntryCopies(options.MemoryBytes / CopiedPart, Segments.Memory);
        Tags = new CurrentTags(control, IsReadOnly ? null : RequireInPlace);
        Index = new CurrentIndex(control, IsReadOnly);

        // Only reads that need no checksum look for hot copies; a process that only reads is not told either when one must be forgotten.
        Hot = VerifiesAlways ? null : new HotCopies(options.MemoryBytes / 4 * HotQuarters, leases, Segments.Memory);
        Leases = new CacheLeases(leases, Release);
        ExpiryChanges = new ExpiryChanges(Segments.Slots);
        Finder = new RecordFinder(Segments, Index, Leases, _copies, Hot);
    }

    public CacheControl Control { get; }

    public TimeProvider Clock { get; }

    /// <summary>Gets the expiry of entries that are set without one.</summary>
    public CacheExpiry DefaultExpiry { get; }

    public SegmentMap Segments { get; }

    /// <summary>Gets the counts of changed expiries, by the process that writes.</summary>
    public ExpiryChanges ExpiryChanges { get; }

    public CurrentIndex Index { get; }

    public CurrentTags Tags { get; }

    public CacheLeases Leases { get; }

    public RecordFinder Finder { get; }

    public HotCopies? Hot { get; }

    public CacheCounters Counters { get; } = new();

    /// <summary>Gets the choice of the entries that are evicted.</summary>
    public EvictionChoice Choice { get; } = new();

    public bool IsReadOnly { get; }

    /// <summary>Gets whether the checksum of an entry is compared on each read.</summary>
    public bool VerifiesAlways { get; }

    /// <summary>Gets the bytes of segments in memory: mapped, copied, or not in their files yet.</summary>
    public long MemoryBytes => Segments.Memory.Bytes + Segments.Memory.GivenUpBytes;

    /// <summary>Determines whether a live record is of no more use. Its current expiry counts, even if that was changed after the record was copied.</summary>
    public bool IsOver(in LiveRecord found) => IsOver(found.Record) && (found.ExpiryChanges is null || IsOver(Current(in found)));

    /// <summary>Gets a record whose expiry is the current one.</summary>
    public CacheRecord Current(in LiveRecord found)
    {
        var slot = Segments.SlotOf(found.Location);
        var isChanged = found.ExpiryChanges is { } known && ExpiryChanges.Of(slot) != known;
        return isChanged && Segments.TryRead(slot, Segments.OffsetOf(found.Location), out var record) ? record : found.Record;
    }

    /// <summary>Determines whether a record is no longer of use: expired for good, or removed by a tag.</summary>
    public bool IsOver(in CacheRecord record) => record.IsOver(Clock) || Tags.WereRemoved(in record);

    /// <summary>Refuses to make files in a cache that this process has closed.</summary>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public void RequireOpen()
    {
        if (Index.IsClosed)
        {
            throw CacheFailures.Disposed(Control.Directory);
        }
    }

    /// <summary>Refuses to make files, to reuse segments, and to make changes for others, in a cache that may have another writer by now: it would use the same ones.</summary>
    /// <exception cref="CacheCorruptedException">The control file or the writer's lease was deleted or replaced since the cache was opened.</exception>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public void RequireInPlace()
    {
        RequireOpen();
        Control.RequireInPlace();
        var path = CacheFiles.WriterLease(Control.Directory);
        if (!_lease.IsAt(path))
        {
            // A cache that was closed with open leases has the lease of a process that only reads.
            RequireOpen();
            throw CacheCorruptedException.OfLostWriter(path);
        }
    }

    /// <summary>Ends reading, and lets another process write. The memory is released at once, or when the last lease is given back.</summary>
    public void Dispose()
    {
        Index.Close();
        Interlocked.MemoryBarrierProcessWide();
        if (!IsReadOnly && Leases.Table.IsAnyHeld)
        {
            BecomeReader();
        }

        Leases.Close();
    }

    // The next process that writes finds the open leases as those of a process that only reads. If this process cannot be one, no other process writes until the last lease is back.
    private void BecomeReader()
    {
        try
        {
            var (leases, lease) = ReaderProcesses.Join(Control.Directory, Control.Permissions);
            leases.TakeOver(Leases.Table);
            _lease.Dispose();
            _lease = lease;
        }
        catch (Exception)
        {
            Volatile.Write(ref Control.Header.WriterProcess, Environment.ProcessId);
        }
    }

    private void Release()
    {
        Segments.Release();
        _copies.GiveBack();
        Hot?.Dispose();
        _lease.Dispose();
    }
}
