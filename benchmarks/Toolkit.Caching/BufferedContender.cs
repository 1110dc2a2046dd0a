using System.Buffers.Binary;
using BufferedMessages.Caching;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>This project's cache.</summary>
internal sealed class BufferedContender : ICacheContender
{
    public const string CacheName = "BufferedMessages";

    private readonly MessageCache<long> _cache;
    private readonly int _valueBytes;

    public BufferedContender(CacheSetting setting)
    {
        _cache = Open(setting);
        _valueBytes = setting.ValueBytes;
    }

    public string Name => CacheName;

    public static MessageCache<long> Open(CacheSetting setting) => MessageCache.Open<long>(
        Path.Combine(setting.Directory, "buffered"),
        new MessageCacheOptions { DiskBytes = (3 * setting.DataBytes) + (200L * setting.Keys), MemoryBytes = setting.MemoryBytes, ExpectedEntries = setting.Keys });

    public ICacheSession NewSession() => new Session(_cache, _valueBytes);

    public void Dispose() => _cache.Dispose();

    private sealed class Session(MessageCache<long> cache, int valueBytes) : ICacheSession
    {
        private readonly long[] _keys = new long[CacheMeasurement.Batch];
        private readonly KeyValuePair<long, ReadOnlyMemory<byte>>[] _entries = new KeyValuePair<long, ReadOnlyMemory<byte>>[CacheMeasurement.Batch];
        private readonly byte[][] _values = [.. Enumerable.Range(0, CacheMeasurement.Batch).Select(_ => CacheValue.New(valueBytes))];
        private int _hits;

        public int ReadMany(ReadOnlySpan<int> keys)
        {
            var hits = 0;
            foreach (var key in keys)
            {
                hits += Read(key) ? 1 : 0;
            }

            return hits;
        }

        public int ReadTogether(ReadOnlySpan<int> keys)
        {
            for (var i = 0; i < keys.Length; i++)
            {
                _keys[i] = keys[i];
            }

            _hits = 0;
            cache.GetMany(_keys.AsSpan(0, keys.Length), this, static (key, value, session) => session._hits += CacheValue.IsOf((int)key, value) ? 1 : 0);
            return _hits;
        }

        public bool Read(int key)
        {
            if (!cache.TryGet(key, out var lease))
            {
                return false;
            }

            using (lease)
            {
                return CacheValue.IsOf(key, lease.Value);
            }
        }

        public void WriteMany(ReadOnlySpan<int> keys, Span<byte> value)
        {
            foreach (var key in keys)
            {
                BinaryPrimitives.WriteInt64LittleEndian(value, key);
                cache.Set(key, value);
            }
        }

        public void WriteTogether(ReadOnlySpan<int> keys, Span<byte> value)
        {
            for (var i = 0; i < keys.Length; i++)
            {
                BinaryPrimitives.WriteInt64LittleEndian(_values[i], keys[i]);
                _entries[i] = new(keys[i], _values[i]);
            }

            cache.SetMany(_entries.AsSpan(0, keys.Length));
        }

        public void Dispose()
        {
        }
    }
}
