using Microsoft.Extensions.DependencyInjection;

namespace BufferedMessages.Hosting;

/// <summary>The call of an <see cref="IMessageHandler{TView}"/>.</summary>
internal readonly struct AsynchronousCall<TView, THandler>(THandler handler) : IHandlerCall<AsynchronousCall<TView, THandler>, TView>
    where TView : IQueuePayload<TView>, allows ref struct
    where THandler : class, IMessageHandler<TView>
{
    public static AsynchronousCall<TView, THandler> Resolve(IServiceProvider services) => new(services.GetRequiredService<THandler>());

    public ValueTask Call(TView message, MessageContext context, CancellationToken cancellationToken) => handler.HandleAsync(message, context, cancellationToken);
}
