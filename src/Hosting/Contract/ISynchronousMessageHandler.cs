namespace BufferedMessages.Hosting;

/// <summary>
/// A handler of the messages of a queue that needs no await. Handling a message that is already there allocates nothing. Otherwise it works like an <see cref="IMessageHandler{TView}"/>.
/// </summary>
/// <typeparam name="TView">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public interface ISynchronousMessageHandler<TView>
    where TView : IQueuePayload<TView>, allows ref struct
{
    /// <summary>Handles a message. It is committed when the method returns.</summary>
    /// <param name="message">The message, read in place.</param>
    /// <param name="context">The message's position, id, properties and attempt.</param>
    /// <param name="cancellationToken">Cancelled when the host stops and <see cref="MessageHandlerOptions.StopTimeout"/> has passed. A handler that then throws gives the message back.</param>
    void Handle(TView message, MessageContext context, CancellationToken cancellationToken);
}
