namespace BufferedMessages.Caching;

/// <summary>As <see cref="IStoredValue{T}"/>, and the value can be set too.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
internal interface ISettableValue<T> : IStoredValue<T>
{
    void Set<TKey>(MessageCache<TKey> cache, TKey key, T value, CacheExpiry expiry)
        where TKey : notnull;
}
