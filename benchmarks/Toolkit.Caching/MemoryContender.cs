using System.Buffers.Binary;
using Microsoft.Extensions.Caching.Memory;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>MemoryCache with arrays of bytes. It has no disk, so it takes part only where all of it fits.</summary>
internal sealed class MemoryContender : ICacheContender
{
    private readonly MemoryCache _cache = new(new MemoryCacheOptions());

    public string Name => "MemoryCache";

    public ICacheSession NewSession() => new Session(_cache);

    public void Dispose() => _cache.Dispose();

    private sealed class Session(MemoryCache cache) : ICacheSession
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

        public bool Read(int key) => cache.TryGetValue((long)key, out var value) && CacheValue.IsOf(key, (byte[])value!);

        public void WriteMany(ReadOnlySpan<int> keys, Span<byte> value)
        {
            foreach (var key in keys)
            {
                BinaryPrimitives.WriteInt64LittleEndian(value, key);
                cache.Set((long)key, value.ToArray());
            }
        }

        public void Dispose()
        {
        }
    }
}
