using System.Diagnostics;
using BufferedMessages.Running;
using Toolkit.Benchmarks.Messages.Orders;

namespace BufferedMessages.Sessions;

/// <summary>
/// What the queue adds to a message: an order of 20 members from the object until it is visible, and two parts of that: to calculate the size
/// and write, without a queue, and to publish as many ready bytes. The floor of all is to write the object into a plain array, again and again
/// into the same one. One process, one thread; consumers make room between the measured batches.
/// </summary>
internal static class PublishSession
{
    private const int DefaultMessages = 500_000;

    public static IReadOnlyList<SessionResult> Run(SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path };
        SessionDirectory.CreateQueue(options, 0);
        SessionDirectory.CreateQueue(options, 1);
        using var orders = MessageQueue.Open(SessionDirectory.QueueOf(options, 0));
        using var producer = orders.OpenProducer<Order>();
        using var consumer = orders.OpenConsumer<RawMessage>("session");
        using var bytes = MessageQueue.Open(SessionDirectory.QueueOf(options, 1));
        using var bytesProducer = bytes.OpenProducer();
        using var bytesConsumer = bytes.OpenConsumer<RawMessage>("session");
        var order = Order.Create();
        var array = new byte[order.CalculateSize()];
        var parts = new Part[]
        {
            new("publish", _ => producer.Publish(order), consumer),
            new("publish: size and write", _ => order.Write(array.AsSpan(0, order.CalculateSize())), null),
            new("publish: ready bytes", _ => bytesProducer.Publish(array), bytesConsumer),
        };
        var floor = new Part("floor", _ => order.Write(array), null);
        var batchMessages = (options with { PayloadBytes = array.Length }).MessagesOfTurn;
        var batches = Math.Max((options.Messages ?? DefaultMessages) / batchMessages, 1);
        for (var round = 0; round <= options.Rounds; round++)
        {
            Array.ForEach(parts, part => part.Rounds.Add(RunRound(order, part, floor, batches, batchMessages)));
            Report.Progress($"round {round}: {string.Join(", ", parts.Select(part => $"{part.Scenario} {part.Rounds[^1].Quantiles[0]} ns"))}; into an array {parts[0].Rounds[^1].Floor} ns");
        }

        // The first round warms up.
        return
        [
            .. parts.Select(part => PairSession.Summarise(
                new SessionResult(part.Scenario, options) { Library = OrderFormat.Names[0], Fields = "all", PayloadBytes = array.Length },
                batches * (long)batchMessages,
                part.Rounds[1..])),
        ];
    }

    private sealed record Part(string Scenario, Action<Order> Write, MessageConsumer<RawMessage>? Consumer)
    {
        public List<PairSession.Round> Rounds { get; } = [];
    }

    private static PairSession.Round RunRound(Order order, Part part, Part floor, int batches, int batchMessages)
    {
        var times = new long[batches];
        var floors = new long[batches];
        var allocated = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < batches; i++)
        {
            RunnerCommand.Stopping.ThrowIfCancellationRequested();
            floors[i] = Measure(order, floor, batchMessages);
            times[i] = Measure(order, part, batchMessages);
        }

        allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        return new PairSession.Round(Figures.Quantiles(times), Figures.Quantiles(floors), allocated);
    }

    private static long Measure(Order order, Part part, int messages)
    {
        var start = Stopwatch.GetTimestamp();
        for (var message = 0; message < messages; message++)
        {
            order.Id = message;
            part.Write(order);
        }

        var time = Figures.NanosecondsSince(start) / messages;
        while (part.Consumer is not null && part.Consumer.TryRead(out var delivery))
        {
            delivery.Commit();
        }

        return time;
    }
}
