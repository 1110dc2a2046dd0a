using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages.Caching;

/// <summary>
/// An enumerator of the entries of a cache, in no particular order. It returns all entries that stay in the cache during the enumeration, and possibly others. It does not count as a read.
/// </summary>
/// <typeparam name="TKey">The type of the keys.</typeparam>
public ref struct CacheEnumerator<TKey>
    where TKey : notnull
{
    private readonly CacheEngine? _engine;
    private EntryWalk _walk;
    private bool _isHeld;
    private CacheLease _lease;

    internal CacheEnumerator(CacheEngine engine)
    {
        _engine = engine;
        _walk = new EntryWalk(engine.Store);
    }

    /// <summary>Gets the current entry.</summary>
    [UnscopedRef]
    public readonly CacheEntry<TKey> Current => _engine is null ? default : new(_lease, _engine.Schemas);

    /// <summary>Releases the current entry, and moves to the next one.</summary>
    public bool MoveNext()
    {
        Dispose();
        while (_engine is not null && _walk.MoveNext(out var pinned))
        {
            // Segments that are older than the control file may have keys of another type.
            if (CacheKey.CanDecode<TKey>(pinned.Record.Key))
            {
                _engine.Store.Counters.OtherLeases.Increment();
                _lease = new CacheLease(new EntryLease(_engine.Store.Leases, pinned.Ticket, pinned.Record));
                _isHeld = true;
                return true;
            }

            _engine.Store.Leases.Undo(pinned.Ticket);
        }

        return false;
    }

    /// <summary>Releases the current entry.</summary>
    public void Dispose()
    {
        if (_isHeld)
        {
            // Released like a user's lease, so that an entry that is used too late throws instead of showing the next one.
            _lease.Dispose();
            _isHeld = false;
        }
    }
}
