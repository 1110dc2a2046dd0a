namespace BufferedMessages.Hosting;

/// <summary>A call of a handler, synchronous or not. A struct, so that the call is compiled into the loop of its worker.</summary>
internal interface IHandlerCall<TSelf, TView>
    where TSelf : struct, IHandlerCall<TSelf, TView>
    where TView : IQueuePayload<TView>, allows ref struct
{
    /// <summary>Gets the handler from the services.</summary>
    static abstract TSelf Resolve(IServiceProvider services);

    /// <summary>Handles a message.</summary>
    ValueTask Call(TView message, MessageContext context, CancellationToken cancellationToken);
}
