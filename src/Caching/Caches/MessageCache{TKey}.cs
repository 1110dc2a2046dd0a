using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>
/// A cache in memory and on disk. Values are bytes, messages, or any type by a serializer; they are read in place. Safe for all threads. A hit allocates nothing, and neither does a set.
/// </summary>
/// <remarks>
/// Reads take no lock, and never wait for a disk access of another thread. A set waits when no segment is free; the cache's own thread keeps one free ahead of time.
/// Entries that were set survive a kill of this process. After a crash of the machine those are there that the system had written to the disk by then.
/// </remarks>
/// <typeparam name="TKey">The type of the keys. A text with half a surrogate pair is refused by an <see cref="ArgumentException"/>, since it has no UTF-8 form.</typeparam>
public sealed partial class MessageCache<TKey> : IDisposable
    where TKey : notnull
{
    private readonly SharedCache? _sharing;

    // Replaced once, when this process becomes the owner of a shared cache. The earlier ones stay usable until the cache is disposed.
    private CacheEngine _engine;
    private CacheStore _store;
    private EntryReader _reader;

    internal MessageCache(CacheEngine engine)
    {
        _engine = engine;
        _store = engine.Store;
        _reader = engine.Reader;
    }

    /// <summary>Opens a cache that processes share.</summary>
    internal MessageCache(CacheEngine engine, int keyKind, MessageCacheOptions options)
        : this(engine)
    {
        try
        {
            _sharing = new SharedCache(engine, keyKind, options, ChangeOwner);
        }
        catch
        {
            // The system has no thread for it.
            engine.Dispose();
            throw;
        }
    }

    /// <summary>Gets the full path of the cache.</summary>
    public string Directory => _store.Control.Directory;

    /// <summary>Gets the name of the cache in metrics.</summary>
    public string Name => _engine.Name;

    /// <summary>Gets whether the cache was opened by <see cref="MessageCache.OpenReadOnly"/>.</summary>
    public bool IsReadOnly => _sharing is null && _store.IsReadOnly;

    /// <summary>Gets the number of entries in the cache, including expired ones that were not read since they expired.</summary>
    public long Count => _engine.Entries;

    /// <summary>Gets the clock of expiry.</summary>
    internal TimeProvider Clock => _store.Clock;

    /// <summary>Gets the bytes of each segment.</summary>
    internal long SegmentBytes => _store.Control.SegmentBytes;

    /// <summary>Reads the counts of the cache, and its sizes.</summary>
    public CacheStatistics GetStatistics() => _sharing is null ? _engine.ReadStatistics() : _sharing.ReadStatistics();

    /// <summary>Says whether a key has an entry that is not expired. It does not count as a read.</summary>
    /// <inheritdoc cref="TryGet(TKey, out CacheLease)" path="/exception"/>
    [SkipLocalsInit]
    public bool Contains(TKey key)
    {
        var bytes = CacheKey.Encode(in key, stackalloc byte[CacheKey.ScratchBytes], out var rented);
        var isThere = _reader.Contains(bytes);
        CacheKey.Return(rented);
        return isThere;
    }

    /// <summary>Says whether a read of the key would not wait for a disk, as far as this process knows.</summary>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    /// <exception cref="CacheCorruptedException">The cache is open for reading only, and its index file is missing or damaged.</exception>
    [SkipLocalsInit]
    public bool IsInMemory(TKey key)
    {
        var bytes = CacheKey.Encode(in key, stackalloc byte[CacheKey.ScratchBytes], out var rented);
        var isWarm = _engine.Prefetch.IsWarm(XxHash64.Hash(bytes));
        CacheKey.Return(rented);
        return isWarm;
    }

    /// <summary>Removes the entry of a key. A value that <c>GetOrCreate</c> is creating is set afterwards nevertheless; <see cref="RemoveByTag"/> removes it too.</summary>
    /// <returns>False when there was no entry.</returns>
    /// <exception cref="InvalidOperationException">The cache is open for reading only, or 4096 leases are open.</exception>
    /// <exception cref="TimeoutException">The process that owns a shared cache did not answer in time. Whether it has made the change, or will, is not known.</exception>
    /// <exception cref="IOException">The process that owns a shared cache could not make the change.</exception>
    /// <exception cref="NotSupportedException">The process that owns a shared cache is of another release, and takes other changes than this one. Update the package in all of them.</exception>
    /// <exception cref="CacheCorruptedException">The directory or the lease of the writer of a shared cache was deleted or replaced while the cache was open.</exception>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    [SkipLocalsInit]
    public bool Remove(TKey key)
    {
        using var encoded = new EncodedKey<TKey>(in key, stackalloc byte[CacheKey.ScratchBytes]);
        return RemoveBytes(encoded.Bytes);
    }

    /// <summary>Changes the expiry of a key's entry, or prolongs the entry as a read does, if its expiry is sliding.</summary>
    /// <param name="key">The key.</param>
    /// <param name="expiry">The expiry: never, at a time, or after a time. The default value prolongs the entry as a read does. The time until which the entry may be stale stays as it was set.</param>
    /// <returns>False if the cache does not have the entry.</returns>
    /// <exception cref="ArgumentException">The expiry is sliding, lets the entry be stale or has tags, which is fixed when the entry is set.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The time is in the past.</exception>
    /// <inheritdoc cref="Remove" path="/exception"/>
    [SkipLocalsInit]
    public bool Touch(TKey key, CacheExpiry expiry = default)
    {
        using var encoded = new EncodedKey<TKey>(in key, stackalloc byte[CacheKey.ScratchBytes]);
        return _engine.Writer is { } writer ? writer.Touch(encoded.Bytes, expiry)
            : RequireSharing().TryTouch(encoded.Bytes, expiry) ?? _engine.RequireWriter().Touch(encoded.Bytes, expiry);
    }

    /// <summary>
    /// Removes all entries that were set with a tag, by <see cref="CacheExpiry.Tags"/>. It takes the same time for any number of entries; their room is reclaimed later, and <see cref="Count"/>
    /// includes them until they are read. A value that <c>GetOrCreate</c> is creating is removed too: only calls that began before get it. Rarely, entries of another tag are removed together with them.
    /// </summary>
    /// <param name="tag">The tag.</param>
    /// <exception cref="ArgumentException">The tag is empty.</exception>
    /// <exception cref="DiskFullException">There is no room for the file of tags.</exception>
    /// <exception cref="CacheCorruptedException">The directory or the lease of the writer was deleted or replaced while the cache was open.</exception>
    /// <inheritdoc cref="Remove" path="/exception"/>
    public void RemoveByTag(string tag)
    {
        ArgumentException.ThrowIfNullOrEmpty(tag);
        RemoveTags(TagBlock.GroupOf(tag));
    }

    /// <summary>Removes all entries. Open leases stay valid. A value that <c>GetOrCreate</c> is creating is set afterwards nevertheless; <see cref="RemoveByTag"/> removes it too.</summary>
    /// <inheritdoc cref="Remove" path="/exception"/>
    public void Clear()
    {
        if (_engine.Writer is not null || !RequireSharing().TryClear())
        {
            _engine.RequireWriter().Clear();
        }
    }

    /// <summary>
    /// Closes the cache, whose entries stay on the disk. Open leases stay valid; memory is released with the last one. Create callbacks that run in the background are cancelled and waited for.
    /// While leases are open, this process counts as one that reads; beside 64 others, the cache stays in use until the last lease is back.
    /// </summary>
    public void Dispose()
    {
        _refreshes.Dispose();
        if (_sharing is null)
        {
            _engine.Dispose();
        }
        else
        {
            _sharing.Dispose();
        }
    }

    internal bool RemoveBytes(ReadOnlySpan<byte> key) =>
        _engine.Writer is { } writer ? writer.Remove(key)
        : RequireSharing().TryRemove(key) ?? _engine.RequireWriter().Remove(key);

    private void RemoveTags(int group)
    {
        if (_engine.Writer is not null || !RequireSharing().TryRemoveTags(group))
        {
            _engine.RequireWriter().RemoveTags(group);
        }
    }

    // The engine last: a thread that finds its writer finds the rest too.
    private void ChangeOwner(CacheEngine engine)
    {
        Volatile.Write(ref _reader, engine.Reader);
        Volatile.Write(ref _store, engine.Store);
        Volatile.Write(ref _engine, engine);
    }

    // Without a writer the cache is shared, or open for reading only.
    private SharedCache RequireSharing()
    {
        if (_sharing is null)
        {
            _engine.RequireWriter();
        }

        return _sharing!;
    }
}
