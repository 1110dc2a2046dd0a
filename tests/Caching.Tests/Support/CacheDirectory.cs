namespace BufferedMessages.Caching.Tests;

/// <summary>A directory for one cache, deleted at the end of the test.</summary>
internal sealed class CacheDirectory : IDisposable
{
    public const long SegmentBytes = 64 * 1024;

    private readonly string _root = Directory.CreateTempSubdirectory("bmcache-").FullName;

    public string Path => System.IO.Path.Combine(_root, "cache");

    /// <summary>Gets the options of a small cache: 16 segments of 64 KB.</summary>
    public static MessageCacheOptions Small => new() { SegmentBytes = SegmentBytes, DiskBytes = 16 * SegmentBytes, MemoryBytes = 1024 * 1024 };

    /// <summary>Changes the options of a small cache.</summary>
    public static MessageCacheOptions SmallWith(Action<MessageCacheOptions> change)
    {
        var options = Small;
        change(options);
        return options;
    }

    /// <summary>Sets the directory and the limits of a small cache.</summary>
    public void SetSmall(MessageCacheSettings settings)
    {
        settings.Directory = Path;
        settings.SegmentBytes = Small.SegmentBytes;
        settings.DiskBytes = Small.DiskBytes;
        settings.MemoryBytes = Small.MemoryBytes;
    }

    public static implicit operator string(CacheDirectory directory) => directory.Path;

    public MessageCache<TKey> Open<TKey>(MessageCacheOptions? options = null)
        where TKey : notnull
        => MessageCache.Open<TKey>(Path, options ?? Small);

    public string FileOf(string pattern) => Assert.Single(Directory.GetFiles(Path, pattern));

    /// <summary>Copies the files of the cache. No process holds a lease of the copy.</summary>
    public void CopyTo(CacheDirectory other)
    {
        Directory.CreateDirectory(other);
        foreach (var file in Directory.GetFiles(Path).Where(static file => !file.EndsWith(".lease", StringComparison.Ordinal)))
        {
            File.Copy(file, System.IO.Path.Combine(other, System.IO.Path.GetFileName(file)));
        }
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);
}
