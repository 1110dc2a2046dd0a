namespace BufferedMessages.Caching;

/// <summary>Gets the bytes of an entry that was found.</summary>
/// <typeparam name="TKey">The type of the keys.</typeparam>
/// <typeparam name="TState">The type of the caller's state.</typeparam>
/// <param name="key">The key.</param>
/// <param name="value">The value, in place; gone after the call.</param>
/// <param name="state">What the caller brought along.</param>
public delegate void CacheValueHandler<in TKey, in TState>(TKey key, ReadOnlySpan<byte> value, TState state)
    where TKey : notnull;
