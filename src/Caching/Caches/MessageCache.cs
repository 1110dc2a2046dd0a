namespace BufferedMessages.Caching;

/// <summary>Opens caches.</summary>
public static class MessageCache
{
    /// <summary>
    /// Opens a cache for reading and writing, and creates it if there is none. One process can have it open so; others can read it meanwhile by <see cref="OpenReadOnly"/>.
    /// What an earlier process set is there, also when it was killed.
    /// </summary>
    /// <typeparam name="TKey">string, <see cref="ReadOnlyMemory{T}"/> of bytes, int, uint, long, ulong or Guid. A text and its UTF-8 bytes are the same key.</typeparam>
    /// <param name="directory">A directory of its own; it is created.</param>
    /// <param name="options">How; null takes the defaults.</param>
    /// <exception cref="ArgumentException">An option is out of range, or they do not go together; the type of the keys is none of these, or the cache was created with others.</exception>
    /// <exception cref="CacheInUseException">Somebody alive has it open for writing, possibly this process.</exception>
    /// <exception cref="CacheCorruptedException">The directory's control file is not one of a cache.</exception>
    /// <exception cref="DiskFullException">There is no room for the control file or the index.</exception>
    public static MessageCache<TKey> Open<TKey>(string directory, MessageCacheOptions? options = null)
        where TKey : notnull
    {
        ArgumentException.ThrowIfNullOrEmpty(directory);
        return new MessageCache<TKey>(CacheOpening.Open(Path.GetFullPath(directory), CacheKey.KindOf<TKey>(), (options ?? new MessageCacheOptions()).Validated()));
    }

    /// <summary>
    /// Opens a cache that exists for reading only. Another process may write to it meanwhile; what it sets is seen at once. Each read compares the entry's checksum. Reads do not
    /// prolong sliding expiry, and do not keep an entry from being evicted.
    /// </summary>
    /// <typeparam name="TKey">As the cache was created.</typeparam>
    /// <param name="directory">The directory of the cache. It must be writable: the reader writes down what it reads there.</param>
    /// <param name="options">The memory budget, the clock and the name count; null takes the defaults.</param>
    /// <exception cref="FileNotFoundException">There is no cache.</exception>
    /// <exception cref="ArgumentException">An option is out of range, or the cache was created with other keys.</exception>
    /// <exception cref="CacheCorruptedException">The control file is damaged. A read throws it too, within seconds, when the index file is missing or damaged.</exception>
    /// <exception cref="InvalidOperationException">64 processes read it already.</exception>
    public static MessageCache<TKey> OpenReadOnly<TKey>(string directory, MessageCacheOptions? options = null)
        where TKey : notnull
    {
        ArgumentException.ThrowIfNullOrEmpty(directory);
        return new MessageCache<TKey>(CacheOpening.OpenReadOnly(Path.GetFullPath(directory), CacheKey.KindOf<TKey>(), (options ?? new MessageCacheOptions()).Validated()));
    }
}
