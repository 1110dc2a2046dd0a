namespace BufferedMessages.Hosting;

/// <summary>
/// A responder to the requests of a queue. It is a handler, with the same workers, scopes and options. Each worker has one, so its members serve one request at a time, unless you register the type as
/// a singleton. An exception fails the request: its client gets a <see cref="RequestFailedException"/> with the message of the exception.
/// </summary>
/// <typeparam name="TRequestView">The type to read the requests as: a generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
/// <typeparam name="TReply">The type of the replies, with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
public interface IResponder<TRequestView, TReply>
    where TRequestView : IQueuePayload<TRequestView>, allows ref struct
    where TReply : IBufferedMessageSource<TReply>
{
    /// <summary>Answers a request. The reply is sent, and the request is committed, when the returned task completes.</summary>
    /// <param name="request">
    /// The request, read in place. An <c>async</c> method cannot have this parameter: read here what you need, and then call an <c>async</c> local function with it.
    /// </param>
    /// <param name="context">The request's position, id, properties and attempt. It may be used across awaits, until the returned task completes.</param>
    /// <param name="cancellationToken">Cancelled when the host stops and <see cref="MessageHandlerOptions.StopTimeout"/> has passed. A responder that then throws gives the request back.</param>
    /// <returns>The reply. The responder may reuse the object when it gets the next request.</returns>
    ValueTask<TReply> RespondAsync(TRequestView request, MessageContext context, CancellationToken cancellationToken);
}
