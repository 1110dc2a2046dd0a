using System;
using System.Buffers.Binary;
using System.IO;
using System.Linq;
using System.Reflection;
using BufferedMessages.CacheBenchmarks;
using BufferedMessages.Peers;
using FasterKv.Cache.Core;
using FasterKv.Cache.Core.Abstractions;
using FasterKv.Cache.Core.Configurations;

namespace Toolkit.Peers.Adapters;

internal sealed class FasterKvCachePeer : ICachePeer
{
    public string Name => "FasterKvCache";

    public Assembly Library => typeof(FasterKvCache<byte[]>).Assembly;

    public ICacheContender Open(CacheSetting setting) => new Contender(setting);

    private sealed class Contender : ICacheContender
    {
        private readonly FasterKvCache<byte[]> _cache;
        private readonly string[] _names;

        public Contender(CacheSetting setting)
        {
            Directory.CreateDirectory(setting.Directory);
            _names = [.. Enumerable.Range(0, setting.Keys).Select(static key => $"{key}")];
            var options = new FasterKvCacheOptions { LogPath = Path.Combine(setting.Directory, "log"), MemorySizeBit = 28, PageSizeBit = 22 };
            _cache = new FasterKvCache<byte[]>("peer", new DefaultSystemClock(), options, [new BytesSerializer()], null);
        }

        public string Name => "FasterKvCache";

        public ICacheSession NewSession() => new Session(_cache, _names);

        public void Dispose() => _cache.Dispose();
    }

    private sealed class Session(FasterKvCache<byte[]> cache, string[] names) : ICacheSession
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

        public bool Read(int key) => cache.Get(names[key]) is { } value && CacheValue.IsOf(key, value);

        public void WriteMany(ReadOnlySpan<int> keys, Span<byte> value)
        {
            foreach (var key in keys)
            {
                BinaryPrimitives.WriteInt64LittleEndian(value, key);
                cache.Set(names[key], value.ToArray());
            }
        }

        public void Dispose()
        {
        }
    }

    // Of a cache that fits into its memory nothing is serialized.
    private sealed class BytesSerializer : IFasterKvCacheSerializer
    {
        public string Name => "peer";

        public void Serialize<TValue>(Stream stream, TValue data) => stream.Write((byte[])(object)data!);

        public TValue? Deserialize<TValue>(byte[] serializerData, int length) => (TValue)(object)serializerData[..length];
    }
}
