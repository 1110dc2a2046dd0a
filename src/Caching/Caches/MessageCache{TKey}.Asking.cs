namespace BufferedMessages.Caching;

/// <content>Asynchronous changes. They wait for the owner of a shared cache without a thread, and for a disk on another thread.</content>
public sealed partial class MessageCache<TKey>
{
    /// <summary>Removes the entry of a key, as <see cref="Remove"/> does.</summary>
    internal async ValueTask<bool> RemoveAsync(TKey key, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return IsAsking ? await Task.Run(() => RemoveByOwnerAsync(CacheKey.ToArray(key), cancellationToken), cancellationToken).ConfigureAwait(false)
            : IsInMemory(key) ? Remove(key)
            : await Task.Run(() => Remove(key), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Prolongs the entry of a key, as <see cref="Touch"/> does.</summary>
    internal async ValueTask<bool> TouchAsync(TKey key, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return IsAsking ? await Task.Run(() => TouchByOwnerAsync(CacheKey.ToArray(key), cancellationToken), cancellationToken).ConfigureAwait(false)
            : IsInMemory(key) ? Touch(key)
            : await Task.Run(() => Touch(key), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Removes all entries with a tag, as <see cref="RemoveByTag"/> does; the tag may be empty. In another thread, because it may make a file.</summary>
    internal async ValueTask RemoveByTagAsync(string tag, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var group = TagBlock.GroupOf(tag);
        await (IsAsking
            ? Task.Run(() => RemoveTagsByOwnerAsync(group, cancellationToken), cancellationToken)
            : Task.Run(() => RemoveTags(group), cancellationToken)).ConfigureAwait(false);
    }

    /// <summary>Sets the entry of a key to a value that was created. The token ends the wait for the owner.</summary>
    internal async ValueTask SetCreatedAsync<T>(TKey key, T value, ICacheSerializer<T> serializer, CacheExpiry expiry, CancellationToken cancellationToken)
    {
        if (!IsAsking)
        {
            Set(key, value, serializer, expiry);
            return;
        }

        using var stream = BufferPool.Shared.GetStream();
        serializer.Serialize(value, stream);
        await SetByOwnerAsync(CacheKey.ToArray(key), stream.GetContiguousMemory(), expiry, SerializerName.FingerprintOf(serializer), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Sets the entry of a key to a message that was created. The token ends the wait for the owner.</summary>
    internal async ValueTask SetCreatedAsync<TSource>(TKey key, TSource source, CacheExpiry expiry, CancellationToken cancellationToken)
        where TSource : IBufferedMessageSource<TSource>
    {
        if (!IsAsking)
        {
            Set(key, source, expiry);
            return;
        }

        _engine.StoreSchema(TSource.Schema);
        using var stream = BufferPool.Shared.GetStream();
        source.WriteTo(stream);
        await SetByOwnerAsync(CacheKey.ToArray(key), stream.GetContiguousMemory(), expiry, TSource.Schema.Fingerprint, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Gets whether this process does not write: changes are asked for, or refused when the cache is open for reading only.</summary>
    internal bool IsAsking => _engine.Writer is null;

    private async Task SetByOwnerAsync(byte[] key, ReadOnlyMemory<byte> value, CacheExpiry expiry, ulong schema, CancellationToken cancellationToken)
    {
        if (!await RequireSharing().TrySetAsync(key, value, schema, expiry, cancellationToken).ConfigureAwait(false))
        {
            SetBytes(key, value.Span, expiry, schema);
        }
    }

    private async Task<bool> RemoveByOwnerAsync(byte[] key, CancellationToken cancellationToken) =>
        await RequireSharing().TryRemoveAsync(key, cancellationToken).ConfigureAwait(false) ?? RemoveBytes(key);

    private async Task RemoveTagsByOwnerAsync(int group, CancellationToken cancellationToken)
    {
        if (!await RequireSharing().TryRemoveTagsAsync(group, cancellationToken).ConfigureAwait(false))
        {
            _engine.RequireWriter().RemoveTags(group);
        }
    }

    private async Task<bool> TouchByOwnerAsync(byte[] key, CancellationToken cancellationToken) =>
        await RequireSharing().TryTouchAsync(key, default, cancellationToken).ConfigureAwait(false) ?? _engine.RequireWriter().Touch(key, default);
}
