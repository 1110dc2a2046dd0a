using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>
/// What the queue adds to a message: an order of 20 members from the object until it is visible. The floor writes the same object into a plain
/// array, again and again into the same one. One process, one thread; a consumer makes room between the measured batches.
/// </summary>
internal static class PublishSession
{
    private const int DefaultMessages = 1_000_000;
    private const int BatchMessages = 1_000;

    public static SessionResult Run(SessionOptions options)
    {
        SessionOptions.RequirePair(options, "publish");
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path };
        SessionDirectory.CreateQueue(options, 0);
        using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, 0));
        using var producer = queue.OpenProducer<Order>();
        using var consumer = queue.OpenConsumer<OrderBufferedMessage>("session");
        var batches = Math.Max((options.Messages ?? DefaultMessages) / BatchMessages, 1);
        var rounds = new List<PairSession.Round>();
        for (var round = 0; round <= options.Rounds; round++)
        {
            rounds.Add(RunRound(producer, consumer, batches));
            Report.Progress($"round {round}: {rounds[^1].Quantiles[0]} ns, into an array {rounds[^1].Floor} ns, ratio {Report.Number(rounds[^1].Ratio, "0.00")}");
        }

        return PairSession.Summarise(
            new SessionResult("publish", options) { Library = OrderFormat.Names[0], Fields = "all", PayloadBytes = Order.Create().CalculateSize() },
            batches * (long)BatchMessages,
            rounds[1..]);
    }

    private static PairSession.Round RunRound(MessageProducer<Order> producer, MessageConsumer<OrderBufferedMessage> consumer, int batches)
    {
        var order = Order.Create();
        var array = new byte[order.CalculateSize()];
        var times = new long[batches];
        var floors = new long[batches];
        var allocated = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < batches; i++)
        {
            floors[i] = Write(order, array);
            times[i] = Publish(order, producer);
            for (var message = 0; message < BatchMessages; message++)
            {
                consumer.TryRead(out var lease);
                lease.Commit();
            }
        }

        allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        return new PairSession.Round(Figures.Quantiles(times), Figures.Quantiles(floors), allocated);
    }

    private static long Write(Order order, byte[] array)
    {
        var start = Stopwatch.GetTimestamp();
        for (var message = 0; message < BatchMessages; message++)
        {
            order.Id = message;
            order.Write(array);
        }

        return Figures.NanosecondsSince(start) / BatchMessages;
    }

    private static long Publish(Order order, MessageProducer<Order> producer)
    {
        var start = Stopwatch.GetTimestamp();
        for (var message = 0; message < BatchMessages; message++)
        {
            order.Id = message;
            producer.Publish(order);
        }

        return Figures.NanosecondsSince(start) / BatchMessages;
    }
}
