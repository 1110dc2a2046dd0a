namespace BufferedMessages.Caching;

/// <summary>Gets a message that was found.</summary>
/// <typeparam name="TKey">The type of the keys.</typeparam>
/// <typeparam name="TView">The generated view type.</typeparam>
/// <typeparam name="TState">The type of the caller's state.</typeparam>
/// <param name="key">The key.</param>
/// <param name="message">The message, in place; gone after the call.</param>
/// <param name="state">What the caller brought along.</param>
public delegate void CacheMessageHandler<in TKey, TView, in TState>(TKey key, TView message, TState state)
    where TKey : notnull
    where TView : IBufferedMessage<TView>, allows ref struct;
