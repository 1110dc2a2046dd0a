using System.Runtime.CompilerServices;

namespace BufferedMessages.Hosting;

/// <summary>The call of an <see cref="ISynchronousMessageHandler{TView}"/>.</summary>
internal readonly struct SynchronousCall<TView>(ISynchronousMessageHandler<TView> handler) : IHandlerCall<TView>
    where TView : IQueuePayload<TView>, allows ref struct
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ValueTask Call(TView message, MessageContext context, CancellationToken cancellationToken)
    {
        handler.Handle(message, context, cancellationToken);
        return default;
    }
}
