namespace BufferedMessages.Caching;

/// <summary>A callback that receives the bytes of an entry that was found.</summary>
/// <typeparam name="TKey">The type of the keys.</typeparam>
/// <typeparam name="TState">The type of the caller's state.</typeparam>
/// <param name="key">The key.</param>
/// <param name="value">The value, in place; it must not be used after the call.</param>
/// <param name="state">The state that the caller has passed.</param>
public delegate void CacheValueHandler<in TKey, in TState>(TKey key, ReadOnlySpan<byte> value, TState state)
    where TKey : notnull;

/// <summary>A callback that receives a message that was found.</summary>
/// <typeparam name="TKey">The type of the keys.</typeparam>
/// <typeparam name="TView">The generated view type.</typeparam>
/// <typeparam name="TState">The type of the caller's state.</typeparam>
/// <param name="key">The key.</param>
/// <param name="message">The message, in place; it must not be used after the call.</param>
/// <param name="state">The state that the caller has passed.</param>
public delegate void CacheMessageHandler<in TKey, TView, in TState>(TKey key, TView message, TState state)
    where TKey : notnull
    where TView : IBufferedMessage<TView>, allows ref struct;

/// <summary>A function that makes a result of a message in place, for example its object: <c>view => view.ToOrder()</c>.</summary>
/// <typeparam name="TView">The generated view type.</typeparam>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="message">The message; it must not be used after the call.</param>
public delegate TResult CacheMessageReader<TView, out TResult>(TView message)
    where TView : IBufferedMessage<TView>, allows ref struct;
