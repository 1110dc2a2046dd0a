using BufferedMessages.Runtime.Tests.Evolution.Generation2;

namespace BufferedMessages.Runtime.Tests.Evolution;

/// <summary>Generation 2.</summary>
internal sealed class Second : Generation
{
    public override IReadOnlyDictionary<string, object?> Values { get; } = Map(
        ("Id", 9_000_000_002L),
        ("Note", "second note"),
        ("Side", (int)Side.Short),
        ("Desk", "b desk"),
        ("Venue", "Paris, France"),
        ("Price", 12.5),
        ("Leg.Units", 6),
        ("Leg.Symbol", "SYM-BOL-2"),
        ("Leg.Fee", 0.25m));

    private static Trade Source => new()
    {
        Id = 9_000_000_002,
        Note = "second note",
        Side = Side.Short,
        Desk = "b desk",
        Venue = "Paris, France",
        Price = 12.5,
        Legs = [new Leg { Units = 6, Symbol = "SYM-BOL-2", Fee = 0.25m }],
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
        ("Desk", message.Desk.ToString()),
        ("Venue", message.Venue.ToString()),
        ("Price", message.Price),
        ("Leg.Units", message.Legs[0].Units),
        ("Leg.Symbol", message.Legs[0].Symbol.ToString()),
        ("Leg.Fee", message.Legs[0].Fee));

    private static Dictionary<string, object?> Members(Trade message) => Map(
        ("Id", message.Id),
        ("Note", message.Note),
        ("Side", (int)message.Side),
        ("Desk", message.Desk),
        ("Venue", message.Venue),
        ("Price", message.Price),
        ("Leg.Units", message.Legs![0].Units),
        ("Leg.Symbol", message.Legs![0].Symbol),
        ("Leg.Fee", message.Legs![0].Fee));
}
