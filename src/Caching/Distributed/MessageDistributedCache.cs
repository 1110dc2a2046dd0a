using System.Buffers;
using Microsoft.Extensions.Caching.Distributed;

namespace BufferedMessages.Caching;

/// <summary>
/// An adapter of a cache to the framework's <see cref="IDistributedCache"/> and <see cref="IBufferDistributedCache"/>, over the same entries: a persistent second level of this
/// machine. Safe for all threads. It does not own the cache.
/// </summary>
/// <remarks>
/// Asynchronous methods that would wait for a disk do so in another thread; they wait for the process that owns a shared cache without one. An entry without any expiry gets <see cref="MessageCacheOptions.DefaultExpiry"/>.
/// An expiration in the past removes the entry. Exceptions of the cache go to the caller:
/// <see cref="CacheEntryTooLargeException"/>, <see cref="DiskFullException"/>, <see cref="TimeoutException"/>, <see cref="NotSupportedException"/> for an owner of another release,
/// and <see cref="InvalidOperationException"/> for changes of a cache that is open for reading only.
/// </remarks>
/// <param name="cache">The cache; it must stay open.</param>
public sealed class MessageDistributedCache(MessageCache<string> cache) : IBufferDistributedCache
{
    private readonly MessageCache<string> _cache = cache ?? throw new ArgumentNullException(nameof(cache));

    /// <inheritdoc/>
    public byte[]? Get(string key)
    {
        if (!_cache.TryGet(key, out var lease))
        {
            return null;
        }

        using (lease)
        {
            return lease.Value.ToArray();
        }
    }

    /// <inheritdoc/>
    public async Task<byte[]?> GetAsync(string key, CancellationToken token = default)
    {
        token.ThrowIfCancellationRequested();
        return _cache.IsInMemory(key) ? Get(key) : await Task.Run(() => Get(key), token).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public bool TryGet(string key, IBufferWriter<byte> destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        if (!_cache.TryGet(key, out var lease))
        {
            return false;
        }

        using (lease)
        {
            destination.Write(lease.Value);
            return true;
        }
    }

    /// <inheritdoc/>
    public async ValueTask<bool> TryGetAsync(string key, IBufferWriter<byte> destination, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(destination);
        token.ThrowIfCancellationRequested();
        return _cache.IsInMemory(key) ? TryGet(key, destination) : await Task.Run(() => TryGet(key, destination), token).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Set(string key, byte[] value, DistributedCacheEntryOptions options)
    {
        ArgumentNullException.ThrowIfNull(value);
        Set(key, new ReadOnlySequence<byte>(value), options);
    }

    /// <inheritdoc/>
    public Task SetAsync(string key, byte[] value, DistributedCacheEntryOptions options, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        return SetAsync(key, new ReadOnlySequence<byte>(value), options, token).AsTask();
    }

    /// <inheritdoc/>
    public void Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(options);
        if (DistributedExpiry.TryRead(options, _cache.Clock, out var expiry))
        {
            _cache.Set(key, value, expiry);
        }
        else
        {
            _cache.Remove(key);
        }
    }

    /// <inheritdoc/>
    public ValueTask SetAsync(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(options);
        return DistributedExpiry.TryRead(options, _cache.Clock, out var expiry)
            ? _cache.SetAsync(key, value, expiry, token)
            : new ValueTask(RemoveAsync(key, token));
    }

    /// <inheritdoc/>
    public void Refresh(string key) => _cache.Touch(key);

    /// <inheritdoc/>
    public Task RefreshAsync(string key, CancellationToken token = default) => _cache.TouchAsync(key, token).AsTask();

    /// <inheritdoc/>
    public void Remove(string key) => _cache.Remove(key);

    /// <inheritdoc/>
    public Task RemoveAsync(string key, CancellationToken token = default) => _cache.RemoveAsync(key, token).AsTask();
}
