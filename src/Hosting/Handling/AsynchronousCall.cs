using System.Runtime.CompilerServices;

namespace BufferedMessages.Hosting;

/// <summary>The call of an <see cref="IMessageHandler{TView}"/>.</summary>
internal readonly struct AsynchronousCall<TView>(IMessageHandler<TView> handler) : IHandlerCall<TView>
    where TView : IQueuePayload<TView>, allows ref struct
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ValueTask Call(TView message, MessageContext context, CancellationToken cancellationToken) => handler.HandleAsync(message, context, cancellationToken);
}
