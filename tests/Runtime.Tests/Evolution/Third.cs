using BufferedMessages.Runtime.Tests.Evolution.Generation3;

namespace BufferedMessages.Runtime.Tests.Evolution;

/// <summary>Generation 3.</summary>
internal sealed class Third : Generation
{
    public override IReadOnlyDictionary<string, object?> Values { get; } = Map(
        ("Id", 9_000_000_003L),
        ("Note", "third note"),
        ("Side", (int)Side.Cover),
        ("Venue", "London, England"),
        ("Fills", new long[] { 3, 4 }),
        ("Leg.Units", 7),
        ("Leg.Fee", 0.75m),
        ("Leg.Currency", "Swiss francs"));

    private static Trade Source => new()
    {
        Id = 9_000_000_003,
        Note = "third note",
        Side = Side.Cover,
        Venue = "London, England",
        Fills = new long[] { 3, 4 },
        Legs = [new Leg { Units = 7, Fee = 0.75m, Currency = "Swiss francs" }],
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
        ("Note", message.Note.ToString()),
        ("Side", (int)message.Side),
        ("Venue", message.Venue.ToString()),
        ("Fills", message.Fills.IsEmpty ? null : message.Fills.ToArray()),
        ("Leg.Units", message.Legs[0].Units),
        ("Leg.Fee", message.Legs[0].Fee),
        ("Leg.Currency", message.Legs[0].Currency.ToString()));

    private static Dictionary<string, object?> Members(Trade message) => Map(
        ("Id", message.Id),
        ("Note", message.Note),
        ("Side", (int)message.Side),
        ("Venue", message.Venue),
        ("Fills", message.Fills),
        ("Leg.Units", message.Legs![0].Units),
        ("Leg.Fee", message.Legs![0].Fee),
        ("Leg.Currency", message.Legs![0].Currency));
}
