namespace BufferedMessages.Caching;

/// <summary>Extension methods that take the keys of text caches as UTF-8, without strings.</summary>
public static class Utf8KeyExtensions
{
    extension(MessageCache<string> cache)
    {
        /// <summary>Sets the entry of a key to bytes.</summary>
        /// <inheritdoc cref="MessageCache{TKey}.Set(TKey, ReadOnlySpan{byte}, CacheExpiry)"/>
        public void Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, CacheExpiry expiry = default) => cache.SetBytes(key, value, expiry);

        /// <summary>Sets the entry of a key to a message.</summary>
        /// <inheritdoc cref="MessageCache{TKey}.Set{TSource}(TKey, TSource, CacheExpiry)"/>
        public void Set<TSource>(ReadOnlySpan<byte> key, TSource source, CacheExpiry expiry = default)
            where TSource : IBufferedMessageSource<TSource>
        {
            ArgumentNullException.ThrowIfNull(source);
            cache.SetMessage(key, source, expiry);
        }

        /// <summary>Finds the entry of a key.</summary>
        /// <inheritdoc cref="MessageCache{TKey}.TryGet(TKey, out CacheLease)"/>
        public bool TryGet(scoped ReadOnlySpan<byte> key, out CacheLease lease) => cache.TryGetBytes(key, out lease);

        /// <summary>Finds the message of a key.</summary>
        /// <inheritdoc cref="MessageCache{TKey}.TryGet{TView}(TKey, out CacheLease{TView})"/>
        public bool TryGet<TView>(scoped ReadOnlySpan<byte> key, out CacheLease<TView> lease)
            where TView : IBufferedMessage<TView>, allows ref struct
            => cache.TryGetMessage(key, out lease);

        /// <summary>Removes the entry of a key.</summary>
        /// <inheritdoc cref="MessageCache{TKey}.Remove(TKey)"/>
        public bool Remove(ReadOnlySpan<byte> key) => cache.RemoveBytes(key);
    }
}
