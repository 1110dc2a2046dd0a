using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Caching;

/// <summary>An open cache.</summary>
internal sealed class CacheEngine : IMeteredCache, IDisposable
{
    private readonly WriteEngine? _writing;
    private bool _isDisposed;

    /// <param name="store">The cache.</param>
    /// <param name="options">The options.</param>
    /// <param name="writing">Null in a process that only reads.</param>
    public CacheEngine(CacheStore store, MessageCacheOptions options, WriteEngine? writing)
    {
        _writing = writing;
        Store = store;
        Name = options.Name ?? Path.GetFileName(store.Control.Directory);
        Reader = new EntryReader(store, writing?.Writer);
        Prefetch = new EntryPrefetch(store);
        Schemas = new SchemaCatalog(store.Control.Directory, store.Control.Permissions);
        CacheMetrics.Add(this);
    }

    public CacheStore Store { get; }

    public EntryReader Reader { get; }

    public EntryPrefetch Prefetch { get; }

    /// <inheritdoc/>
    public string Name { get; }

    /// <summary>Gets the schemas of the messages in the cache.</summary>
    public SchemaCatalog Schemas { get; }

    /// <summary>Gets the writer; null in a process that only reads.</summary>
    public CacheWriter? Writer => _writing?.Writer;

    /// <summary>Gets the number of entries. A process that only reads may count one more or less while the entry is moved.</summary>
    public long Entries => Writer is { } writer ? writer.Entries : Store.Control.Entries;

    /// <summary>Gets the writer.</summary>
    /// <exception cref="InvalidOperationException">The cache is open for reading only.</exception>
    public CacheWriter RequireWriter()
    {
        if (_writing is null)
        {
            ThrowReadOnly();
        }

        return _writing.Writer;
    }

    /// <summary>Writes the file of a schema, unless it is there. Called before a message of the schema is set.</summary>
    /// <exception cref="DiskFullException">The disk has no room for it.</exception>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    public void StoreSchema(MessageSchema schema)
    {
        Store.RequireOpen();
        Schemas.Store(schema);
    }

    /// <inheritdoc/>
    public CacheStatistics ReadStatistics()
    {
        var segments = 0L;
        for (var slot = 0; slot < Store.Control.SlotCount; slot++)
        {
            segments += Volatile.Read(ref Store.Control.Slot(slot).State) == SlotState.Absent ? 0 : 1;
        }

        return Store.Counters.Read(
            Store.Leases.Table.Count,
            Entries,
            Store.Control.LiveBytes,
            _writing?.Writer.SetsInLanes ?? 0,
            _writing?.Writer.WrittenBytes ?? 0,
            segments * Store.Control.SegmentBytes,
            Store.MemoryBytes,
            Store.Index.Bytes);
    }

    /// <summary>Stops the metering, because another engine of this process continues it.</summary>
    public void StopMetering() => CacheMetrics.Remove(this);

    /// <summary>Closes the cache. Its memory is released at once, or when the last lease is returned.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, true))
        {
            return;
        }

        CacheMetrics.Remove(this);
        _writing?.Stop();
        Store.Dispose();
        _writing?.Dispose();
    }

    [DoesNotReturn]
    private void ThrowReadOnly() => throw new InvalidOperationException(
        $"The cache '{Store.Control.Directory}' is open for reading only. Open it with MessageCache.Open in the process that writes.");
}
