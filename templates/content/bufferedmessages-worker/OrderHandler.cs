using BufferedMessages.Hosting;

namespace WorkerNamespace1;

/// <summary>Handles orders. An exception is a failed attempt: the order is tried again, and then goes to the dead letters.</summary>
public sealed class OrderHandler(ILogger<OrderHandler> log) : IMessageHandler<OrderBufferedMessage>
{
    public ValueTask HandleAsync(OrderBufferedMessage message, MessageContext context, CancellationToken cancellationToken)
    {
        // Read in place what the work needs. A view cannot be used after an await.
        var (id, article, quantity) = (message.Id, message.Article.ToString(), message.Quantity);
        return ShipAsync();

        async ValueTask ShipAsync()
        {
            await Task.Delay(100, cancellationToken);
            log.LogInformation("Shipped {Quantity} x {Article}, order {Id}.", quantity, article, id);
        }
    }
}
