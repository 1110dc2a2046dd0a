using BufferedMessages.Hosting;

namespace BufferedMessages.Samples.Service;

/// <summary>Ships orders.</summary>
internal sealed class Shipping(Warehouse warehouse) : IMessageHandler<OrderBufferedMessage>
{
    /// <summary>The view is read in place before the first await; a method with a view is never <c>async</c>.</summary>
    public ValueTask HandleAsync(OrderBufferedMessage message, MessageContext context, CancellationToken cancellationToken) =>
        warehouse.SendAsync(message.Id, message.Article.ToString(), message.Quantity, context.Attempt, cancellationToken);
}
