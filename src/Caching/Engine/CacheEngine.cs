using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>A cache that is open: what reads, and for the one who writes, what writes.</summary>
internal sealed class CacheEngine : IDisposable
{
    private readonly FileLease? _lease;
    private readonly SegmentPool? _pool;
    private readonly Recycler? _recycler;
    private readonly AutoResetEvent? _wake;
    private bool _isDisposed;

    /// <summary>Only reads.</summary>
    public CacheEngine(CacheStore store, MessageCacheOptions options)
    {
        Store = store;
        Name = NameOf(store, options);
        Schemas = new SchemaCatalog(store.Control.Directory);
        CacheMetrics.Add(this);
    }

    /// <summary>Reads and writes.</summary>
    public CacheEngine(FileLease lease, CacheStore store, MessageCacheOptions options, int segments)
        : this(store, options)
    {
        var control = store.Control;
        var states = Enumerable.Range(0, control.SlotCount).Select(slot => (Slot: slot, control.Slot(slot).State)).ToList();
        _lease = lease;
        _wake = new AutoResetEvent(initialState: false);
        _pool = new SegmentPool(store, options, () => _wake.Set());
        _pool.Resume(states.Where(state => state.State == SlotState.Free).Select(state => state.Slot));
        Writer = new CacheWriter(store, options, _pool);
        store.Writer = Writer;
        _recycler = new Recycler(store, Writer, _pool, _wake, segments);
        _recycler.Start(states.Count(state => state.State != SlotState.Absent));
    }

    public CacheStore Store { get; }

    /// <summary>The cache in metrics.</summary>
    public string Name { get; }

    /// <summary>The schemas of its messages.</summary>
    public SchemaCatalog Schemas { get; }

    /// <summary>Null in a process that only reads.</summary>
    public CacheWriter? Writer { get; }

    /// <summary>The writer.</summary>
    /// <exception cref="InvalidOperationException">The cache is open for reading only.</exception>
    public CacheWriter RequireWriter()
    {
        if (Writer is null)
        {
            ThrowReadOnly();
        }

        return Writer;
    }

    /// <summary>What the cache counted, and what it holds.</summary>
    public CacheStatistics ReadStatistics()
    {
        var segments = 0L;
        for (var slot = 0; slot < Store.Control.SlotCount; slot++)
        {
            segments += Volatile.Read(ref Store.Control.Slot(slot).State) == SlotState.Absent ? 0 : 1;
        }

        return Store.Counters.Read(
            Store.Leases.Count,
            Store.Control.Entries,
            segments * Store.Control.SegmentBytes,
            Store.MemoryBytes,
            Store.IndexBytes);
    }

    /// <summary>Unmaps the memory of a cache whose leases are all back; the others follow when they are.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, true))
        {
            return;
        }

        CacheMetrics.Remove(this);
        Writer?.Dispose();
        _recycler?.Dispose();
        SignOff();
        Store.Dispose();
        _wake?.Dispose();
        _lease?.Dispose();
    }

    private unsafe void SignOff()
    {
        if (Writer is not null)
        {
            Volatile.Write(ref Store.Control.Header->WriterProcess, CacheOpening.NoWriter);
        }
    }

    private static string NameOf(CacheStore store, MessageCacheOptions options) => options.Name ?? Path.GetFileName(store.Control.Directory);

    [DoesNotReturn]
    private void ThrowReadOnly() => throw new InvalidOperationException(
        $"The cache '{Store.Control.Directory}' is open for reading only here. Open it by MessageCache.Open in the process that writes.");
}
