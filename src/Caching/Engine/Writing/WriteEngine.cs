using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>The parts of an open cache that only the process that writes has: the writer, and the thread that recycles segments.</summary>
internal sealed class WriteEngine : IDisposable
{
    /// <summary>The process id in the control file when no process has the cache open for writing.</summary>
    public const int NoWriter = 0;

    private readonly CacheStore _store;
    private readonly IndexWriter _index;
    private readonly Recycler _recycler;
    private readonly AutoResetEvent _wake = new(initialState: false);

    /// <param name="store">The cache, with an index that can be trusted.</param>
    /// <param name="options">The options.</param>
    /// <param name="segments">The number of segments that the disk budget has room for.</param>
    public WriteEngine(CacheStore store, MessageCacheOptions options, int segments)
    {
        _store = store;
        var book = new SegmentBook(store.Control);
        var slots = Enumerable.Range(0, book.SlotCount).ToList();
        var pool = new SegmentPool(store.Segments, store.Control, book, options, () => _wake.Set());

        // After the index was rebuilt, another process may still hold a segment that an earlier owner had emptied. It shows its lease, fences, and looks whether the index is still
        // the current one; this process has published the new index, and fences before it looks for leases.
        Interlocked.MemoryBarrier();
        var readers = new ReaderProcesses(store.Control.Directory, store.Control.Permissions);
        slots.Where(slot => book.IsFree(slot) && readers.Hold(slot)).ToList().ForEach(book.PutAside);
        pool.Lanes.Resume();
        pool.Resume(slots.Where(book.IsFree));
        _index = new IndexWriter(store, book, pool.Lanes, options.VerifyEveryRead);
        Writer = new CacheWriter(store, options, book, pool, _index);
        _recycler = new Recycler(store, book, new SegmentCleaner(store, book, new SegmentEmptier(store, book, _index, pool), pool), pool, _wake, segments);
        _recycler.Start(slots.Count(slot => !book.IsAbsent(slot)));
    }

    public CacheWriter Writer { get; }

    /// <summary>Refuses changes from now on, and waits for those under way.</summary>
    public void Stop()
    {
        Writer.Dispose();
        _recycler.Dispose();
        _index.Close();
        Volatile.Write(ref _store.Control.Header.WriterProcess, NoWriter);
    }

    public void Dispose() => _wake.Dispose();
}
