using BufferedMessages.Caching;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>This project's cache, with values of 1000 bytes.</summary>
internal sealed class RealCache : IEvictionPolicy
{
    /// <summary>Bytes of a record: its head, a key of 4 bytes and its padding, and the value.</summary>
    public const int RecordBytes = 48 + 8 + ValueBytes;

    private const int ValueBytes = 1_000;

    private readonly MessageCache<int> _cache;
    private readonly byte[] _value = new byte[ValueBytes];

    /// <param name="directory">Where its files are made.</param>
    /// <param name="diskBytes">Its budget.</param>
    public RealCache(string directory, long diskBytes) =>
        _cache = MessageCache.Open<int>(directory, new MessageCacheOptions { DiskBytes = diskBytes, MemoryBytes = Math.Max(2 * diskBytes, 16 << 20) });

    /// <summary>Gets the bytes that are written for each byte that is set.</summary>
    public double WriteAmplification => _cache.GetStatistics().WriteAmplification;

    public bool Ask(int key)
    {
        if (_cache.TryGet(key, out var lease))
        {
            lease.Dispose();
            return true;
        }

        _cache.Set(key, _value);
        return false;
    }

    public void Dispose() => _cache.Dispose();
}
