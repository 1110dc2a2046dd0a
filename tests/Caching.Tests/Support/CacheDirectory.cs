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

    /// <summary>Hides the files until the end of the result: a link that leads to itself is in the place of the directory, so that the system cannot say whether they are there.</summary>
    public IDisposable Hide() => new HiddenDirectory(Path);

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private sealed class HiddenDirectory : IDisposable
    {
        private readonly string _path;

        public HiddenDirectory(string path)
        {
            _path = path;
            Directory.Move(path, path + "-moved");
            File.CreateSymbolicLink(path, path);
        }

        public void Dispose()
        {
            File.Delete(_path);
            Directory.Move(_path + "-moved", _path);
        }
    }
}
