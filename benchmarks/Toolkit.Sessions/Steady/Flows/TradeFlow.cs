namespace BufferedMessages.Sessions;

/// <summary>Trades as a user sends them: an object is published.</summary>
internal sealed class TradeSource(MessageQueue queue) : FlowSource
{
    private readonly MessageProducer<Trade> _producer = queue.OpenProducer<Trade>();
    private readonly Trade _trade = Trade.Create();

    public override void Publish(long first, int messages)
    {
        var trade = _trade;
        for (var i = 0; i < messages; i++)
        {
            trade.Id = first + i;
            _producer.Publish(trade);
        }
    }

    public override void Dispose() => _producer.Dispose();
}

/// <summary>Reads one field of each trade.</summary>
internal sealed class TradeSink(MessageQueue queue, SessionOptions options) : FlowSink
{
    private readonly MessageConsumer<TradeBufferedMessage> _consumer = Open<TradeBufferedMessage>(queue, options, options.MessagesPerCommit);

    public override long Read(int messages)
    {
        var sum = 0L;
        foreach (var delivery in _consumer.ReadAll())
        {
            sum += delivery.Message.Id;
            if (--messages == 0)
            {
                break;
            }
        }

        CommitLast(_consumer);
        return sum;
    }

    public override void Skip() => _consumer.Seek(QueueStart.Latest);

    public override void Dispose() => _consumer.Dispose();
}

/// <summary>Reads all fields of each trade; of a string the last byte.</summary>
internal sealed class WholeTradeSink(MessageQueue queue, SessionOptions options) : FlowSink
{
    private readonly MessageConsumer<TradeBufferedMessage> _consumer = Open<TradeBufferedMessage>(queue, options, options.MessagesPerCommit);

    /// <summary>What was read, so that no read can be left out.</summary>
    public double Fields { get; private set; }

    public override long Read(int messages)
    {
        var sum = 0L;
        var fields = 0.0;
        foreach (var delivery in _consumer.ReadAll())
        {
            var trade = delivery.Message;
            sum += trade.Id;
            fields += trade.Order.Utf8[^1] + trade.Symbol.Utf8[^1] + trade.Account.Utf8[^1] + trade.Venue.Utf8[^1] + trade.Currency.Utf8[^1]
                + (int)trade.Side + trade.Quantity + trade.Price + trade.CreatedAt + trade.Strategy + (trade.IsFinal ? 1 : 0);
            if (--messages == 0)
            {
                break;
            }
        }

        CommitLast(_consumer);
        Fields += fields;
        return sum;
    }

    public override void Skip() => _consumer.Seek(QueueStart.Latest);

    public override void Dispose() => _consumer.Dispose();
}
