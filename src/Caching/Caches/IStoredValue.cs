namespace BufferedMessages.Caching;

/// <summary>How values of a type are set and read: as messages, or by a serializer.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
internal interface IStoredValue<T>
{
    bool TryGet<TKey>(MessageCache<TKey> cache, TKey key, out T? value)
        where TKey : notnull;
}
