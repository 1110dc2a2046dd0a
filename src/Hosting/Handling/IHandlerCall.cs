namespace BufferedMessages.Hosting;

/// <summary>A call of a handler, synchronous or not. A struct without a type argument that is a class, so that the call is compiled into the loop of its worker.</summary>
internal interface IHandlerCall<TView>
    where TView : IQueuePayload<TView>, allows ref struct
{
    /// <summary>Handles a message.</summary>
    ValueTask Call(TView message, MessageContext context, CancellationToken cancellationToken);
}
