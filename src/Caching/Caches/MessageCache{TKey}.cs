using System.Runtime.CompilerServices;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>
/// A cache in memory and on disk. Values are bytes, messages, or objects of any type with a serializer, and are read in place. A hit allocates nothing, and neither does a set. Thread-safe.
/// </summary>
/// <remarks>
/// Reads take no lock, and never wait for a disk access of another thread. A set waits if no segment is free; the cache's own thread keeps one free ahead of time.
/// Entries survive if this process is killed. After a crash of the machine, only those entries remain that the system had already written to the disk.
/// </remarks>
/// <typeparam name="TKey">The type of the keys. A string with an unpaired surrogate has no UTF-8 form, and is refused by an <see cref="ArgumentException"/>.</typeparam>
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

    /// <summary>Gets the number of entries in the cache, including expired ones that have not been read since they expired.</summary>
    public long Count => _engine.Entries;

    /// <summary>Gets the clock of expiry.</summary>
    internal TimeProvider Clock => _store.Clock;

    /// <summary>Gets the bytes of each segment.</summary>
    internal long SegmentBytes => _store.Control.SegmentBytes;

    /// <summary>Gets the counts and the sizes of the cache.</summary>
    public CacheStatistics GetStatistics() => _sharing is null ? _engine.ReadStatistics() : _sharing.ReadStatistics();

    /// <summary>Determines whether a key has an entry that has not expired. The call does not count as a read.</summary>
    /// <inheritdoc cref="TryGet(TKey, out CacheLease)" path="/exception"/>
    [SkipLocalsInit]
    public bool Contains(TKey key)
    {
        var bytes = CacheKey.Encode(in key, stackalloc byte[CacheKey.ScratchBytes], out var rented);
        var isThere = _reader.Contains(bytes);
        CacheKey.Return(rented);
        return isThere;
    }

    /// <summary>Determines whether a read of the key would not wait for a disk, as far as this process knows.</summary>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    /// <exception cref="InvalidOperationException">The cache is open for reading only, or this process does not own a shared cache; and 4096 leases are open.</exception>
    /// <exception cref="CacheCorruptedException">The cache is open for reading only, and its index file is missing or damaged.</exception>
    [SkipLocalsInit]
    public bool IsInMemory(TKey key)
    {
        var bytes = CacheKey.Encode(in key, stackalloc byte[CacheKey.ScratchBytes], out var rented);
        var isWarm = _engine.Prefetch.IsWarm(XxHash64.Hash(bytes));
        CacheKey.Return(rented);
        return isWarm;
    }

    /// <summary>Removes the entry of a key. A value that <c>GetOrCreate</c> is creating is still set afterwards; <see cref="RemoveByTag"/> also removes such a value.</summary>
    /// <returns>False if there was no entry.</returns>
    /// <exception cref="InvalidOperationException">The cache is open for reading only, or 4096 leases are open.</exception>
    /// <exception cref="TimeoutException">The owner of a shared cache did not answer in time. It is not known whether it has made the change, or still will.</exception>
    /// <exception cref="IOException">The owner of a shared cache could not make the change.</exception>
    /// <exception cref="NotSupportedException">The owner of a shared cache is of another release, and does not accept the changes of this one. Update the package in all processes.</exception>
    /// <exception cref="CacheCorruptedException">The directory or the lease of the writer of a shared cache was deleted or replaced while the cache was open.</exception>
    /// <exception cref="ObjectDisposedException">The cache is disposed.</exception>
    [SkipLocalsInit]
    public bool Remove(TKey key)
    {
        using var encoded = new EncodedKey<TKey>(in key, stackalloc byte[CacheKey.ScratchBytes]);
        return RemoveBytes(encoded.Bytes);
    }

    /// <summary>Changes the expiry of an entry, or extends its sliding expiry as a read does.</summary>
    /// <param name="key">The key.</param>
    /// <param name="expiry">
    /// The new expiry: never, at a time, or after a time. The default value extends a sliding expiry as a read does. The time until which the entry may be stale does not change.
    /// </param>
    /// <returns>False if the cache does not have the entry.</returns>
    /// <exception cref="ArgumentException">The expiry is sliding, allows stale values or has tags: these are fixed when the entry is set.</exception>
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
    /// Removes all entries that were set with a tag, by <see cref="CacheExpiry.Tags"/>. The call takes the same time for any number of entries. Their room is reclaimed later, and
    /// <see cref="Count"/> includes them until they are read. A value that <c>GetOrCreate</c> is creating is removed too: only calls that began earlier return it. In rare cases, entries with
    /// another tag are removed as well.
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

    /// <summary>Removes all entries. Open leases stay valid. A value that <c>GetOrCreate</c> is creating is still set afterwards; <see cref="RemoveByTag"/> also removes such a value.</summary>
    /// <inheritdoc cref="Remove" path="/exception"/>
    public void Clear()
    {
        if (_engine.Writer is not null || !RequireSharing().TryClear())
        {
            _engine.RequireWriter().Clear();
        }
    }

    /// <summary>
    /// Closes the cache, and leaves its entries on the disk. Open leases stay valid; memory is released with the last one. The call cancels create callbacks that run in the background, and waits
    /// for them. While leases are open, this process counts as one that reads; if 64 others do, the cache stays in use until the last lease is disposed.
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

    // A cache without a writer is shared, or open for reading only.
    private SharedCache RequireSharing()
    {
        if (_sharing is null)
        {
            _engine.RequireWriter();
        }

        return _sharing!;
    }
}
