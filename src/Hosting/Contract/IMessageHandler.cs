namespace BufferedMessages.Hosting;

/// <summary>
/// A handler of the messages of a queue. Each worker has one, so its members serve one message at a time, unless you register the type as a singleton.
/// An exception fails the attempt. The message is tried again, and then goes to the dead letters.
/// </summary>
/// <typeparam name="TView">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public interface IMessageHandler<TView>
    where TView : IQueuePayload<TView>, allows ref struct
{
    /// <summary>Handles a message. It is committed when the returned task completes.</summary>
    /// <param name="message">
    /// The message, read in place. An <c>async</c> method cannot have this parameter: read here what you need, and then call an <c>async</c> local function with it.
    /// </param>
    /// <param name="context">The message's position, id, properties and attempt. It may be used across awaits, until the returned task completes.</param>
    /// <param name="cancellationToken">Cancelled when the host stops and <see cref="MessageHandlerOptions.StopTimeout"/> has passed. A handler that then throws gives the message back.</param>
    ValueTask HandleAsync(TView message, MessageContext context, CancellationToken cancellationToken);
}
