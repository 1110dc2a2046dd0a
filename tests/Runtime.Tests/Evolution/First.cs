using BufferedMessages.Runtime.Tests.Evolution.Generation1;

namespace BufferedMessages.Runtime.Tests.Evolution;

/// <summary>Generation 1.</summary>
internal sealed class First : Generation
{
    public override IReadOnlyDictionary<string, object?> Values { get; } = Map(
        ("Id", 9_000_000_001L),
        ("Note", "first text"),
        ("Quantity", 77),
        ("Side", (int)Side.Sell),
        ("Desk", "a desk"),
        ("Leg.Units", 5),
        ("Leg.Symbol", "SYM-BOL-1"));

    private static Trade Source => new()
    {
        Id = 9_000_000_001,
        Text = "first text",
        Quantity = 77,
        Side = Side.Sell,
        Desk = "a desk",
        Legs = [new Leg { Units = 5, Symbol = "SYM-BOL-1" }],
    };

    public override byte[] Write() => Source.ToMessageArray();

    public override void Publish(MessageQueue queue)
    {
        using var producer = queue.OpenProducer<Trade>();
        producer.Publish(Source);
    }

    public override IReadOnlyDictionary<string, object?> Read(ReadOnlySpan<byte> message) => Members(BufferedMessage.Create<TradeBufferedMessage>(message));

    public override IReadOnlyDictionary<string, object?> Copy(ReadOnlySpan<byte> message) => Members(BufferedMessage.Create<TradeBufferedMessage>(message).ToTrade());

    public override IReadOnlyDictionary<string, object?> Take(MessageQueue queue, string consumer)
    {
        using var reader = queue.OpenConsumer<TradeBufferedMessage>(consumer);
        Assert.True(reader.TryRead(out var delivery));
        using (delivery)
        {
            var members = Members(delivery.Message);
            delivery.Commit();
            return members;
        }
    }

    public override void Forward(string from, string to) => Forward<TradeBufferedMessage>(from, to);

    private static Dictionary<string, object?> Members(TradeBufferedMessage message) => Map(
        ("Id", message.Id),
        ("Note", message.Text.ToString()),
        ("Quantity", message.Quantity),
        ("Side", (int)message.Side),
        ("Desk", message.Desk.ToString()),
        ("Leg.Units", message.Legs[0].Units),
        ("Leg.Symbol", message.Legs[0].Symbol.ToString()));

    private static Dictionary<string, object?> Members(Trade message) => Map(
        ("Id", message.Id),
        ("Note", message.Text),
        ("Quantity", message.Quantity),
        ("Side", (int)message.Side),
        ("Desk", message.Desk),
        ("Leg.Units", message.Legs![0].Units),
        ("Leg.Symbol", message.Legs![0].Symbol));
}
