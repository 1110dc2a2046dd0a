namespace BufferedMessages.Hosting.Tests;

internal sealed class SynchronousOrderHandler(Desk desk) : ISynchronousMessageHandler<OrderBufferedMessage>
{
    public void Handle(OrderBufferedMessage message, MessageContext context, CancellationToken cancellationToken) =>
        desk.HandleAsync(message.Id, context, cancellationToken).AsTask().GetAwaiter().GetResult();
}
