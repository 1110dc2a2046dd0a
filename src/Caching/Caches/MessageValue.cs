namespace BufferedMessages.Caching;

/// <summary>Results made of messages.</summary>
internal readonly struct MessageValue<TView, TResult>(CacheMessageReader<TView, TResult> read) : IStoredValue<TResult>
    where TView : IBufferedMessage<TView>, allows ref struct
{
    public bool TryGet<TKey>(MessageCache<TKey> cache, TKey key, out TResult? value)
        where TKey : notnull
        => cache.TryGet(key, read, out value);
}
