namespace BufferedMessages.Caching;

/// <summary>Makes a result of a message in place, for example its object: <c>view => view.ToOrder()</c>.</summary>
/// <typeparam name="TView">The generated view type.</typeparam>
/// <typeparam name="TResult">What is made of it.</typeparam>
/// <param name="message">The message; gone after the call.</param>
public delegate TResult CacheMessageReader<TView, out TResult>(TView message)
    where TView : IBufferedMessage<TView>, allows ref struct;
