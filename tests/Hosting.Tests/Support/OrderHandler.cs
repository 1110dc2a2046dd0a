namespace BufferedMessages.Hosting.Tests;

internal sealed class OrderHandler(Desk desk) : IMessageHandler<OrderBufferedMessage>
{
    public ValueTask HandleAsync(OrderBufferedMessage message, MessageContext context, CancellationToken cancellationToken) => desk.HandleAsync(message.Id, context, cancellationToken);
}
