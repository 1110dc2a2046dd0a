using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Caching;

/// <summary>
/// Goes over the entries of a cache, in no order. What is in the cache all the time is met; what comes, goes or is replaced meanwhile may be. Reads nothing as used.
/// </summary>
/// <typeparam name="TKey">The type of the keys.</typeparam>
public ref struct CacheEnumerator<TKey>
    where TKey : notnull
{
    private readonly CacheEngine _engine;
    private EntryWalk _walk;
    private bool _isHeld;
    private CacheLease _lease;

    internal CacheEnumerator(CacheEngine engine)
    {
        _engine = engine;
        _walk = new EntryWalk(engine.Store);
    }

    /// <summary>The entry.</summary>
    [UnscopedRef]
    public readonly CacheEntry<TKey> Current => new(_lease, _engine.Schemas);

    /// <summary>Goes to the next entry, and gives the current one back.</summary>
    public bool MoveNext()
    {
        Dispose();
        _isHeld = _walk.MoveNext(out var pinned);
        if (_isHeld)
        {
            _engine.Store.Counters.Enumerated.Increment();
            _lease = new CacheLease(new EntryLease(_engine.Store, pinned.Ticket, pinned.Record));
        }

        return _isHeld;
    }

    /// <summary>Gives the current entry back.</summary>
    public void Dispose()
    {
        if (_isHeld)
        {
            // Given back as a user's lease is: an entry that is kept too long finds that, and not the next entry.
            _lease.Dispose();
            _isHeld = false;
        }
    }
}
