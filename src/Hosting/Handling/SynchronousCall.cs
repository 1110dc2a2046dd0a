using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;

namespace BufferedMessages.Hosting;

/// <summary>The call of an <see cref="ISynchronousMessageHandler{TView}"/>.</summary>
internal readonly struct SynchronousCall<TView, THandler>(THandler handler) : IHandlerCall<SynchronousCall<TView, THandler>, TView>
    where TView : IQueuePayload<TView>, allows ref struct
    where THandler : class, ISynchronousMessageHandler<TView>
{
    public static SynchronousCall<TView, THandler> Resolve(IServiceProvider services) => new(services.GetRequiredService<THandler>());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ValueTask Call(TView message, MessageContext context, CancellationToken cancellationToken)
    {
        handler.Handle(message, context, cancellationToken);
        return default;
    }
}
