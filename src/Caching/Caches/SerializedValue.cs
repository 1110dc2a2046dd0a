namespace BufferedMessages.Caching;

/// <summary>Values that a serializer of the user's writes and reads.</summary>
internal readonly struct SerializedValue<T>(ICacheSerializer<T> serializer) : ISettableValue<T>
{
    public bool TryGet<TKey>(MessageCache<TKey> cache, TKey key, out T? value)
        where TKey : notnull
        => cache.TryGet(key, serializer, out value);

    public void Set<TKey>(MessageCache<TKey> cache, TKey key, T value, CacheExpiry expiry)
        where TKey : notnull
        => cache.Set(key, value, serializer, expiry);
}
