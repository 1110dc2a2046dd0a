using System.Buffers.Binary;
using BitFaster.Caching.Lru;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>BitFaster's concurrent LRU with arrays of bytes. It has no disk, so it takes part only where all of it fits.</summary>
internal sealed class BitFasterContender(CacheSetting setting) : ICacheContender
{
    // With room to spare: its three parts are not filled evenly.
    private readonly ConcurrentLru<long, byte[]> _cache = new(2 * setting.Keys);

    public string Name => "BitFaster";

    public ICacheSession NewSession() => new Session(_cache);

    public void Dispose()
    {
    }

    private sealed class Session(ConcurrentLru<long, byte[]> cache) : ICacheSession
    {
        public int ReadMany(ReadOnlySpan<int> keys)
        {
            var hits = 0;
            foreach (var key in keys)
            {
                hits += Read(key) ? 1 : 0;
            }

            return hits;
        }

        public bool Read(int key) => cache.TryGet(key, out var value) && CacheValue.IsOf(key, value);

        public void WriteMany(ReadOnlySpan<int> keys, Span<byte> value)
        {
            foreach (var key in keys)
            {
                BinaryPrimitives.WriteInt64LittleEndian(value, key);
                cache.AddOrUpdate(key, value.ToArray());
            }
        }

        public void Dispose()
        {
        }
    }
}
