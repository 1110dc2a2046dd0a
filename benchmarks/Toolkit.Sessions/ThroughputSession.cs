using System.Diagnostics;
using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>
/// One process publishes, one reads in place, as fast as they can. The time runs from the producer's first publish to the
/// consumer's last read; both use the machine's monotonic clock.
/// </summary>
internal static class ThroughputSession
{
    public const string ProducerRole = "throughput-producer";
    public const string ConsumerRole = "throughput-consumer";

    private const int DefaultMessages = 20_000_000;

    // With the warm-up they fit into a segment of the largest size.
    private const int DefaultWarmMessages = 8_000_000;
    private const int WarmupMessages = 4_000_000;

    // Loops are cut into calls, so that the compiler's second tier replaces them while they warm up.
    private const int BatchMessages = 100_000;

    public static SessionResult Run(SessionOptions options)
    {
        options = options with { Messages = options.Messages ?? (options.HasWarmPages ? DefaultWarmMessages : DefaultMessages) };
        var rates = new List<double>();
        long allocated = 0;
        for (var round = 0; round < options.Rounds; round++)
        {
            var (rate, bytes) = RunRound(options);
            rates.Add(rate);
            allocated += bytes;
            Console.WriteLine($"round {round + 1}: {rate:N0} messages per second");
        }

        rates.Sort();
        return new SessionResult
        {
            Scenario = "throughput",
            Mode = options.HasWarmPages ? "durable, warm pages" : "durable",
            PayloadBytes = options.PayloadBytes,
            MessagesPerSecond = rates[rates.Count / 2],
            AllocatedBytesPerMessage = (double)allocated / ((long)options.Messages.Value * options.Rounds),
        };
    }

    public static void Produce(SessionOptions options)
    {
        using var queue = MessageQueue.Open(options.Directory);
        using var producer = queue.OpenProducer();
        var payload = new byte[options.PayloadBytes];
        PeerProcess.Say();
        PeerProcess.AwaitGo();
        PublishAll(producer, payload, WarmupMessages);
        PeerProcess.Say();
        PeerProcess.AwaitGo();
        var allocated = GC.GetAllocatedBytesForCurrentThread();
        var start = Stopwatch.GetTimestamp();
        PublishAll(producer, payload, options.Messages!.Value);
        PeerProcess.Say(start, GC.GetAllocatedBytesForCurrentThread() - allocated);
        PeerProcess.AwaitGo();
    }

    public static void Consume(SessionOptions options)
    {
        using var queue = MessageQueue.Open(options.Directory);
        using var consumer = queue.OpenConsumer("session");
        PeerProcess.Say();
        PeerProcess.AwaitGo();
        ReadAll(consumer, WarmupMessages);
        PeerProcess.Say();
        PeerProcess.AwaitGo();
        var allocated = GC.GetAllocatedBytesForCurrentThread();
        ReadAll(consumer, options.Messages!.Value);
        PeerProcess.Say(Stopwatch.GetTimestamp(), GC.GetAllocatedBytesForCurrentThread() - allocated);
        PeerProcess.AwaitGo();
    }

    private static (double Rate, long AllocatedBytes) RunRound(SessionOptions options)
    {
        using var directory = new SessionDirectory(options.Directory);
        options = options with { Directory = directory.Path };
        if (options.HasWarmPages)
        {
            WarmPages.Prepare(options.Directory);
        }

        using var consumer = PeerProcess.Start(ConsumerRole, options);
        using var producer = PeerProcess.Start(ProducerRole, options);
        Array.ForEach([consumer, producer], peer => peer.Hear());

        // The consumer goes first and waits: so it is measured as it is in use, and so it warms up.
        Array.ForEach([consumer, producer], peer => peer.Go());
        Array.ForEach([consumer, producer], peer => peer.Hear());
        Array.ForEach([consumer, producer], peer => peer.Go());
        var produced = producer.Hear();
        var consumed = consumer.Hear();
        var seconds = Stopwatch.GetElapsedTime(produced[0], consumed[0]).TotalSeconds;
        return (options.Messages!.Value / seconds, produced[1] + consumed[1]);
    }

    private static void PublishAll(QueueProducer producer, byte[] payload, int messages)
    {
        for (var sent = 0; sent < messages; sent += BatchMessages)
        {
            PublishBatch(producer, payload, sent, Math.Min(BatchMessages, messages - sent));
        }
    }

    private static void PublishBatch(QueueProducer producer, byte[] payload, int first, int messages)
    {
        for (var i = 0; i < messages; i++)
        {
            MemoryMarshal.Write(payload, first + i);
            producer.Publish(payload);
        }
    }

    private static void ReadAll(QueueConsumer consumer, int messages)
    {
        for (var read = 0; read < messages; read += BatchMessages)
        {
            ReadBatch(consumer, read, Math.Min(BatchMessages, messages - read));
        }
    }

    private static void ReadBatch(QueueConsumer consumer, int first, int messages)
    {
        var expected = first;
        foreach (var payload in consumer.ReadAll())
        {
            if (MemoryMarshal.Read<int>(payload) != expected++)
            {
                throw new InvalidOperationException($"Message {expected - 1} is missing or out of order.");
            }

            if (expected == first + messages)
            {
                break;
            }
        }

        // The loop left its last message uncommitted.
        if (consumer.TryRead(out var last))
        {
            last.Commit();
        }
    }
}
