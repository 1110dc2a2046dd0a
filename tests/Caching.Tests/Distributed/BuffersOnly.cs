using System.Buffers;
using Microsoft.Extensions.Caching.Distributed;

namespace BufferedMessages.Caching.Tests.Distributed;

/// <summary>A distributed cache that takes and gives buffers, and counts the reads and sets. Calls with arrays are counted too, and refused.</summary>
internal sealed class BuffersOnly(MessageDistributedCache cache) : IBufferDistributedCache
{
    private int _arrays;
    private int _reads;
    private int _sets;

    public int Arrays => Volatile.Read(ref _arrays);

    public int Reads => Volatile.Read(ref _reads);

    public int Sets => Volatile.Read(ref _sets);

    public byte[]? Get(string key) => throw Refuse();

    public Task<byte[]?> GetAsync(string key, CancellationToken token = default) => throw Refuse();

    public void Set(string key, byte[] value, DistributedCacheEntryOptions options) => throw Refuse();

    public Task SetAsync(string key, byte[] value, DistributedCacheEntryOptions options, CancellationToken token = default) => throw Refuse();

    public bool TryGet(string key, IBufferWriter<byte> destination)
    {
        Interlocked.Increment(ref _reads);
        return cache.TryGet(key, destination);
    }

    public ValueTask<bool> TryGetAsync(string key, IBufferWriter<byte> destination, CancellationToken token = default)
    {
        Interlocked.Increment(ref _reads);
        return cache.TryGetAsync(key, destination, token);
    }

    public void Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options)
    {
        Interlocked.Increment(ref _sets);
        cache.Set(key, value, options);
    }

    public ValueTask SetAsync(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options, CancellationToken token = default)
    {
        Interlocked.Increment(ref _sets);
        return cache.SetAsync(key, value, options, token);
    }

    public void Refresh(string key) => cache.Refresh(key);

    public Task RefreshAsync(string key, CancellationToken token = default) => cache.RefreshAsync(key, token);

    public void Remove(string key) => cache.Remove(key);

    public Task RemoveAsync(string key, CancellationToken token = default) => cache.RemoveAsync(key, token);

    private NotSupportedException Refuse()
    {
        Interlocked.Increment(ref _arrays);
        return new NotSupportedException("The values go by buffers.");
    }
}
