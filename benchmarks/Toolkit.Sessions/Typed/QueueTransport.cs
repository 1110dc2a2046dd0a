namespace BufferedMessages.Sessions;

/// <summary>Orders over the queue, in place: what <see cref="MessageProducer{TSource}"/> does, open to the other formats.</summary>
internal sealed class QueueOutlet(MessageQueue queue) : IOrderOutlet
{
    private readonly MessageProducer _producer = queue.OpenProducer();

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
    private readonly MessageConsumer<RawMessage> _consumer = queue.OpenConsumer<RawMessage>("session");

    public long Receive(IOrderFormat format, bool hasAllFields)
    {
        _consumer.TryRead(out var delivery, Timeout.InfiniteTimeSpan);
        using (delivery)
        {
            var number = format.Read(delivery.Message.Bytes, hasAllFields);
            delivery.Commit();
            return number;
        }
    }

    public void Dispose()
    {
        _consumer.Dispose();
        queue.Dispose();
    }
}
