namespace BufferedMessages.Sessions;

/// <summary>Orders over the queue, in place: what <see cref="MessageProducer{TSource}"/> does, open to the other formats.</summary>
internal sealed class QueueOutlet(MessageQueue queue) : IOrderOutlet
{
    private readonly QueueProducer _producer = queue.OpenProducer();

    public void Send(IOrderFormat format, long number)
    {
        var bytes = format.Prepare(number);
        using var claim = _producer.Claim(bytes);
        format.Write(claim.Span);
        claim.Commit(bytes);
    }

    public void Dispose()
    {
        _producer.Dispose();
        queue.Dispose();
    }
}

/// <inheritdoc cref="QueueOutlet"/>
internal sealed class QueueInlet(MessageQueue queue) : IOrderInlet
{
    private readonly QueueConsumer _consumer = queue.OpenConsumer("session");

    public long Receive(IOrderFormat format, bool hasAllFields)
    {
        _consumer.TryRead(out var lease, Timeout.InfiniteTimeSpan);
        using (lease)
        {
            var number = format.Read(lease.Payload, hasAllFields);
            lease.Commit();
            return number;
        }
    }

    public void Dispose()
    {
        _consumer.Dispose();
        queue.Dispose();
    }
}
