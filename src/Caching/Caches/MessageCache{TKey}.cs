using System.Runtime.CompilerServices;

namespace BufferedMessages.Caching;

/// <summary>
/// A cache in memory and on disk. Values are bytes, messages, or anything by a serializer; they are read in place. Safe for all threads. A hit allocates nothing, and neither does a set.
/// </summary>
/// <remarks>
/// Reads take no lock and never wait for another thread's disk. A set waits when no segment is free, which the cache's own thread sees to ahead of time.
/// What is set is there after this process is killed; after a crash of the machine, what the system had written to the disk by then.
/// </remarks>
/// <typeparam name="TKey">The type of the keys.</typeparam>
public sealed partial class MessageCache<TKey> : IDisposable
    where TKey : notnull
{
    private readonly CacheEngine _engine;
    private readonly CacheStore _store;

    internal MessageCache(CacheEngine engine)
    {
        _engine = engine;
        _store = engine.Store;
    }

    /// <summary>The full path of the cache.</summary>
    public string Directory => _store.Control.Directory;

    /// <summary>The name of the cache in metrics.</summary>
    public string Name => _engine.Name;

    /// <summary>Whether the cache was opened by <see cref="MessageCache.OpenReadOnly"/>.</summary>
    public bool IsReadOnly => _store.IsReadOnly;

    /// <summary>Entries in the cache, those included that are expired and that nobody asked for since.</summary>
    public long Count => _store.Control.Entries;

    /// <summary>The clock of expiry.</summary>
    internal TimeProvider Clock => _store.Clock;

    /// <summary>Bytes of each segment.</summary>
    internal long SegmentBytes => _store.Control.SegmentBytes;

    /// <summary>What the cache counted, and what it holds.</summary>
    public CacheStatistics GetStatistics() => _engine.ReadStatistics();

    /// <summary>Says whether a key has an entry that is not expired. It does not count as a read.</summary>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    [SkipLocalsInit]
    public bool Contains(TKey key)
    {
        var bytes = CacheKey.Encode(in key, stackalloc byte[CacheKey.ScratchBytes], out var rented);
        var isThere = _store.Contains(bytes);
        CacheKey.Return(rented);
        return isThere;
    }

    /// <summary>Says whether reading the key's entry, or finding that it has none, would not wait for a disk, as far as this process knows.</summary>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    [SkipLocalsInit]
    public bool IsInMemory(TKey key)
    {
        var bytes = CacheKey.Encode(in key, stackalloc byte[CacheKey.ScratchBytes], out var rented);
        var isWarm = _store.IsWarm(bytes);
        CacheKey.Return(rented);
        return isWarm;
    }

    /// <summary>Removes the entry of a key.</summary>
    /// <returns>False when there was none.</returns>
    /// <exception cref="InvalidOperationException">The cache is open for reading only.</exception>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    [SkipLocalsInit]
    public bool Remove(TKey key)
    {
        var bytes = CacheKey.Encode(in key, stackalloc byte[CacheKey.ScratchBytes], out var rented);
        try
        {
            return RemoveBytes(bytes);
        }
        finally
        {
            CacheKey.Return(rented);
        }
    }

    /// <summary>Prolongs the entry of a key as a read does, if its expiry is sliding.</summary>
    /// <returns>False when there is none.</returns>
    /// <inheritdoc cref="Remove" path="/exception"/>
    public bool Touch(TKey key) => Touch(key, default);

    /// <summary>Gives the entry of a key another expiry.</summary>
    /// <param name="key">The key.</param>
    /// <param name="expiry">When it expires: never, at a time, or after a time. The default value prolongs the entry as a read does.</param>
    /// <returns>False when there is none.</returns>
    /// <exception cref="ArgumentException">The expiry is sliding, which can only be said when the entry is set.</exception>
    /// <inheritdoc cref="Remove" path="/exception"/>
    [SkipLocalsInit]
    public bool Touch(TKey key, CacheExpiry expiry)
    {
        var bytes = CacheKey.Encode(in key, stackalloc byte[CacheKey.ScratchBytes], out var rented);
        try
        {
            return _engine.RequireWriter().Touch(bytes, expiry);
        }
        finally
        {
            CacheKey.Return(rented);
        }
    }

    /// <summary>Removes all entries. Leases stay as they are.</summary>
    /// <inheritdoc cref="Remove" path="/exception"/>
    public void Clear() => _engine.RequireWriter().Clear();

    /// <summary>Closes the cache: what is in it stays on the disk. Leases stay as they are; memory is given back with the last one.</summary>
    public void Dispose() => _engine.Dispose();

    internal bool RemoveBytes(ReadOnlySpan<byte> key) => _engine.RequireWriter().Remove(key);
}
