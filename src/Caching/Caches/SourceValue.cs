namespace BufferedMessages.Caching;

/// <summary>Objects that are messages in the cache.</summary>
internal readonly struct SourceValue<TView, TSource>(CacheMessageReader<TView, TSource> read) : ISettableValue<TSource>
    where TView : IBufferedMessage<TView>, allows ref struct
    where TSource : IBufferedMessageSource<TSource>
{
    public bool TryGet<TKey>(MessageCache<TKey> cache, TKey key, out TSource? value)
        where TKey : notnull
        => cache.TryGet(key, read, out value);

    public void Set<TKey>(MessageCache<TKey> cache, TKey key, TSource value, CacheExpiry expiry)
        where TKey : notnull
        => cache.Set(key, value, expiry);
}
