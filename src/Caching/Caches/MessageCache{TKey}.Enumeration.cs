namespace BufferedMessages.Caching;

/// <content>Enumeration of all entries.</content>
public sealed partial class MessageCache<TKey>
{
    /// <summary>
    /// Gets the keys of all entries that have not expired, in no particular order. It returns all keys that stay in the cache during the enumeration, and possibly others.
    /// </summary>
    /// <inheritdoc cref="TryGet(TKey, out CacheLease)" path="/exception"/>
    public IEnumerable<TKey> Keys
    {
        get
        {
            var store = _store;
            var walk = new EntryWalk(store);
            while (TryNextKey(store, ref walk, out var key))
            {
                yield return key!;
            }
        }
    }

    /// <summary>Enumerates all entries that have not expired: <c>foreach (var entry in cache)</c>.</summary>
    /// <inheritdoc cref="TryGet(TKey, out CacheLease)" path="/exception"/>
    public CacheEnumerator<TKey> GetEnumerator() => new(_engine);

    private static bool TryNextKey(CacheStore store, ref EntryWalk walk, out TKey? key)
    {
        while (walk.MoveNext(out var pinned))
        {
            var bytes = pinned.Record.Key;
            var isKey = CacheKey.CanDecode<TKey>(bytes);
            key = isKey ? CacheKey.Decode<TKey>(bytes) : default;
            store.Leases.Undo(pinned.Ticket);
            if (isKey)
            {
                return true;
            }
        }

        key = default;
        return false;
    }
}
