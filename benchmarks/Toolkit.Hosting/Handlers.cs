using BufferedMessages.Hosting;

namespace BufferedMessages.HostingBenchmarks;

internal sealed class SynchronousOrders(Tally tally) : ISynchronousMessageHandler<OrderBufferedMessage>
{
    public void Handle(OrderBufferedMessage message, MessageContext context, CancellationToken cancellationToken) => tally.Count(message.Id);
}

internal sealed class AsynchronousOrders(Tally tally) : IMessageHandler<OrderBufferedMessage>
{
    public ValueTask HandleAsync(OrderBufferedMessage message, MessageContext context, CancellationToken cancellationToken)
    {
        return CountAsync(message.Id);

        async ValueTask CountAsync(long id)
        {
            tally.Count(id);
            await Task.CompletedTask;
        }
    }
}

internal sealed class SynchronousValues(Tally tally) : ISynchronousMessageHandler<ValueMessage<long>>
{
    public void Handle(ValueMessage<long> message, MessageContext context, CancellationToken cancellationToken) => tally.Count(message.Value);
}

internal sealed class AsynchronousValues(Tally tally) : IMessageHandler<ValueMessage<long>>
{
    public ValueTask HandleAsync(ValueMessage<long> message, MessageContext context, CancellationToken cancellationToken)
    {
        return CountAsync(message.Value);

        async ValueTask CountAsync(long id)
        {
            tally.Count(id);
            await Task.CompletedTask;
        }
    }
}
