using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>The entry point for opening caches.</summary>
public static class MessageCache
{
    private const int ReadOnlyFileSystem = 30;

    /// <summary>
    /// Opens a cache for reading and writing, and creates it if it does not exist. Only one process can have it open for writing, unless all of them share it by
    /// <see cref="MessageCacheOptions.Shared"/>. Other processes can read it at the same time by <see cref="OpenReadOnly"/>.
    /// Entries set by an earlier process are still there, even if it was killed.
    /// </summary>
    /// <typeparam name="TKey">string, <see cref="ReadOnlyMemory{T}"/> of bytes, int, uint, long, ulong or Guid. A string and its UTF-8 bytes are the same key.</typeparam>
    /// <param name="directory">A directory for this cache alone. It is created if necessary.</param>
    /// <param name="options">The options; null uses the defaults.</param>
    /// <exception cref="ArgumentException">
    /// An option is out of range, or options do not fit together; the type cannot be a key; or the cache was created with other keys, segments or permissions.
    /// </exception>
    /// <exception cref="CacheInUseException">A live process, possibly this one, has the cache open for writing.</exception>
    /// <exception cref="CacheCorruptedException">The control file is damaged, or is not the control file of a cache.</exception>
    /// <exception cref="NotSupportedException">A newer version of this package wrote the cache, which is left unchanged; or file locks do not work in the directory.</exception>
    /// <exception cref="DiskFullException">The disk has no room for a file of the cache.</exception>
    /// <exception cref="UnauthorizedAccessException">
    /// The directory is not writable; or the user is not a member of the group; or the options do not expect other users, and the directory is in a folder that every user may write to, such as the
    /// temporary one, and belongs to another user or is a symbolic link.
    /// </exception>
    /// <exception cref="PlatformNotSupportedException">The options have a group, which this system does not support.</exception>
    /// <exception cref="InvalidOperationException">The cache is shared, and 64 processes other than its owner already have it open. An owner that has taken over counts too.</exception>
    public static MessageCache<TKey> Open<TKey>(string directory, MessageCacheOptions? options = null)
        where TKey : notnull
    {
        var path = PathOf(directory);
        var kind = CacheKey.KindOf<TKey>();
        var checkedOptions = (options ?? new MessageCacheOptions()).Validated();
        return WithRoom(path, () => checkedOptions.Shared
            ? new MessageCache<TKey>(SharedCache.OpenEngine(path, kind, checkedOptions), kind, checkedOptions)
            : new MessageCache<TKey>(CacheOpening.Open(path, kind, checkedOptions)));
    }

    /// <summary>
    /// Opens an existing cache for reading only. Another process may write to it at the same time; its changes are visible at once. Each read verifies the checksum of its entry. Reads neither
    /// extend a sliding expiry nor keep an entry from being evicted.
    /// </summary>
    /// <typeparam name="TKey">The type of key that the cache was created with.</typeparam>
    /// <param name="directory">The directory of the cache. It must be writable, because this process writes its leases there.</param>
    /// <param name="options">The options; null uses the defaults. Only the memory budget, the clock, the name, and whether other users are expected have an effect.</param>
    /// <exception cref="FileNotFoundException">There is no cache.</exception>
    /// <exception cref="ArgumentException">An option is out of range, or the cache was created with other keys.</exception>
    /// <exception cref="DiskFullException">The disk has no room for the file of its leases.</exception>
    /// <exception cref="CacheCorruptedException">The control file is damaged. A read also throws it, within seconds, if the index file is missing or damaged.</exception>
    /// <exception cref="UnauthorizedAccessException">As for <see cref="Open"/>.</exception>
    /// <exception cref="NotSupportedException">A newer version of this package wrote the cache. A read also throws it if a newer version wrote a segment.</exception>
    /// <exception cref="InvalidOperationException">64 processes already read the cache.</exception>
    public static MessageCache<TKey> OpenReadOnly<TKey>(string directory, MessageCacheOptions? options = null)
        where TKey : notnull
    {
        var path = PathOf(directory);
        return WithRoom(path, () => new MessageCache<TKey>(CacheOpening.OpenReadOnly(path, CacheKey.KindOf<TKey>(), (options ?? new MessageCacheOptions()).Validated())));
    }

    // The last part of the path is the cache's name in metrics.
    private static string PathOf(string directory)
    {
        ArgumentException.ThrowIfNullOrEmpty(directory);
        return Path.TrimEndingDirectorySeparator(Path.GetFullPath(directory));
    }

    // The disk may have no room for the folder, or for a lock, either.
    private static T WithRoom<T>(string path, Func<T> open)
    {
        try
        {
            return open();
        }
        catch (IOException exception) when (exception is not DiskFullException && MappedFile.IsOutOfSpace(exception))
        {
            throw new DiskFullException(path, 0, exception);
        }
        catch (IOException exception) when (exception.HResult == ReadOnlyFileSystem)
        {
            throw new UnauthorizedAccessException(
                $"The cache in '{path}' cannot be written to: its disk is mounted read-only. A cache needs a directory that it may write to, even if it is only read: readers keep their leases there.",
                exception);
        }
    }
}
