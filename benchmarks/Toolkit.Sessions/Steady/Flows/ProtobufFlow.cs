using Google.Protobuf;

namespace BufferedMessages.Sessions;

/// <summary>The same trades as Protobuf over the same queue, written in place.</summary>
internal sealed class ProtobufSource(MessageQueue queue) : FlowSource
{
    private readonly MessageProducer _producer = queue.OpenProducer();
    private readonly Peers.Trade _trade = ProtobufTrade.Create();

    public override void Publish(long first, int messages)
    {
        var trade = _trade;
        for (var i = 0; i < messages; i++)
        {
            trade.Id = first + i;
            var bytes = trade.CalculateSize();
            using var claim = _producer.Claim(bytes);
            trade.WriteTo(claim.Span[..bytes]);
            claim.Commit(bytes);
        }
    }

    public override void Dispose() => _producer.Dispose();
}

/// <summary>Parses each trade, and reads one field.</summary>
internal sealed class ProtobufSink(MessageQueue queue, SessionOptions options) : FlowSink
{
    private readonly MessageConsumer<RawMessage> _consumer = Open<RawMessage>(queue, options, options.MessagesPerCommit);

    public override long Read(int messages)
    {
        var sum = 0L;
        foreach (var delivery in _consumer.ReadAll())
        {
            sum += Peers.Trade.Parser.ParseFrom(delivery.Message.Bytes).Id;
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

/// <summary>Parses each trade, and reads all fields; of a string the last character.</summary>
internal sealed class WholeProtobufSink(MessageQueue queue, SessionOptions options) : FlowSink
{
    private readonly MessageConsumer<RawMessage> _consumer = Open<RawMessage>(queue, options, options.MessagesPerCommit);

    /// <inheritdoc cref="WholeTradeSink.Fields"/>
    public double Fields { get; private set; }

    public override long Read(int messages)
    {
        var sum = 0L;
        var fields = 0.0;
        foreach (var delivery in _consumer.ReadAll())
        {
            var trade = Peers.Trade.Parser.ParseFrom(delivery.Message.Bytes);
            sum += trade.Id;
            fields += trade.Order[^1] + trade.Symbol[^1] + trade.Account[^1] + trade.Venue[^1] + trade.Currency[^1]
                + trade.Side + trade.Quantity + trade.Price + trade.CreatedAt + trade.Strategy + (trade.IsFinal ? 1 : 0);
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
