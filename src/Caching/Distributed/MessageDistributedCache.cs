using System.Buffers;
using Microsoft.Extensions.Caching.Distributed;

namespace BufferedMessages.Caching;

/// <summary>
/// An adapter of a cache to the framework's <see cref="IDistributedCache"/> and <see cref="IBufferDistributedCache"/>, over the same entries: a persistent second level on this
/// machine. It does not own the cache. Thread-safe.
/// </summary>
/// <param name="cache">The cache; it must stay open.</param>
internal sealed class MessageDistributedCache(MessageCache<string> cache) : IBufferDistributedCache
{
    public byte[]? Get(string key) => cache.Copy(key);

    public Task<byte[]?> GetAsync(string key, CancellationToken token = default) => cache.CopyAsync(key, token).AsTask();

    public bool TryGet(string key, IBufferWriter<byte> destination) => cache.TryCopy(key, destination);

    public ValueTask<bool> TryGetAsync(string key, IBufferWriter<byte> destination, CancellationToken token = default) => cache.TryCopyAsync(key, destination, token);

    public void Set(string key, byte[] value, DistributedCacheEntryOptions options)
    {
        ArgumentNullException.ThrowIfNull(value);
        Set(key, new ReadOnlySequence<byte>(value), options);
    }

    public Task SetAsync(string key, byte[] value, DistributedCacheEntryOptions options, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        return SetAsync(key, new ReadOnlySequence<byte>(value), options, token).AsTask();
    }

    public void Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(options);
        if (DistributedExpiry.TryRead(options, cache.Clock, out var expiry))
        {
            cache.Set(key, value, expiry);
        }
        else
        {
            cache.Remove(key);
        }
    }

    public ValueTask SetAsync(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(options);
        return DistributedExpiry.TryRead(options, cache.Clock, out var expiry)
            ? cache.SetAsync(key, value, expiry, token)
            : new ValueTask(RemoveAsync(key, token));
    }

    public void Refresh(string key) => cache.Touch(key);

    public Task RefreshAsync(string key, CancellationToken token = default) => cache.TouchAsync(key, token).AsTask();

    public void Remove(string key) => cache.Remove(key);

    public Task RemoveAsync(string key, CancellationToken token = default) => cache.RemoveAsync(key, token).AsTask();
}
