namespace BufferedMessages.Caching;

/// <summary>A way to read values of a type: as messages, or by a serializer.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
internal interface IStoredValue<T>
{
    bool TryGet<TKey>(MessageCache<TKey> cache, TKey key, out T? value)
        where TKey : notnull;
}

/// <summary>A way to read and set values of a type that are created when they are missing.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
internal interface ISettableValue<T>
{
    /// <summary>Reads the value of an entry; false when it is of another schema or serializer.</summary>
    bool TryRead<TKey>(MessageCache<TKey> cache, CacheLease entry, out T? value)
        where TKey : notnull;

    void Set<TKey>(MessageCache<TKey> cache, TKey key, T value, CacheExpiry expiry)
        where TKey : notnull;

    ValueTask SetAsync<TKey>(MessageCache<TKey> cache, TKey key, T value, CacheExpiry expiry, CancellationToken cancellationToken)
        where TKey : notnull;
}

/// <summary>Results that are made of messages.</summary>
internal readonly struct MessageValue<TView, TResult>(Func<TView, TResult> read) : IStoredValue<TResult>
    where TView : IBufferedMessage<TView>, allows ref struct
{
    public bool TryGet<TKey>(MessageCache<TKey> cache, TKey key, out TResult? value)
        where TKey : notnull
        => cache.TryGet(key, read, out value);
}

/// <summary>Objects that are messages in the cache.</summary>
internal readonly struct SourceValue<TView, TSource>(Func<TView, TSource> read) : ISettableValue<TSource>
    where TView : IBufferedMessage<TView>, allows ref struct
    where TSource : IBufferedMessageSource<TSource>
{
    public bool TryRead<TKey>(MessageCache<TKey> cache, CacheLease entry, out TSource? value)
        where TKey : notnull
    {
        var canRead = cache.CanRead<TView>(entry);
        value = canRead ? read(new CacheLease<TView>(entry).Message) : default;
        return canRead;
    }

    public void Set<TKey>(MessageCache<TKey> cache, TKey key, TSource value, CacheExpiry expiry)
        where TKey : notnull
        => cache.Set(key, value, expiry);

    public ValueTask SetAsync<TKey>(MessageCache<TKey> cache, TKey key, TSource value, CacheExpiry expiry, CancellationToken cancellationToken)
        where TKey : notnull
        => cache.SetCreatedAsync(key, value, expiry, cancellationToken);
}

/// <summary>Values that a user's serializer writes and reads.</summary>
internal readonly struct SerializedValue<T>(ICacheSerializer<T> serializer) : IStoredValue<T>, ISettableValue<T>
{
    public bool TryGet<TKey>(MessageCache<TKey> cache, TKey key, out T? value)
        where TKey : notnull
        => cache.TryGet(key, serializer, out value);

    public bool TryRead<TKey>(MessageCache<TKey> cache, CacheLease entry, out T? value)
        where TKey : notnull
    {
        var canRead = entry.Schema == SerializerName.FingerprintOf(serializer);
        value = canRead ? serializer.Deserialize(entry.Value) : default;
        return canRead;
    }

    public void Set<TKey>(MessageCache<TKey> cache, TKey key, T value, CacheExpiry expiry)
        where TKey : notnull
        => cache.Set(key, value, serializer, expiry);

    public ValueTask SetAsync<TKey>(MessageCache<TKey> cache, TKey key, T value, CacheExpiry expiry, CancellationToken cancellationToken)
        where TKey : notnull
        => cache.SetCreatedAsync(key, value, serializer, expiry, cancellationToken);
}
