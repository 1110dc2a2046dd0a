using System.Diagnostics;
using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>How long a consumer that sleeps takes to see a message: the producer publishes its clock, with pauses in which the consumer falls asleep.</summary>
internal static class WakeupSession
{
    public const string ProducerRole = "wakeup-producer";
    public const string ConsumerRole = "wakeup-consumer";

    private const int DefaultMessages = 2_000;
    private const int WarmupMessages = 500;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);

    public static SessionResult Run(SessionOptions options)
    {
        options = options with { Messages = options.Messages ?? DefaultMessages, PayloadBytes = Math.Max(options.PayloadBytes, sizeof(long)) };
        using var directory = new SessionDirectory(options.Directory);
        using var consumer = PeerProcess.Start(ConsumerRole, options with { Directory = directory.Path });
        using var producer = PeerProcess.Start(ProducerRole, options with { Directory = directory.Path });
        consumer.Hear();
        producer.Hear();
        consumer.Go();
        producer.Go();
        var figures = consumer.Hear();
        return new SessionResult
        {
            Scenario = "wakeup",
            PayloadBytes = options.PayloadBytes,
            P50 = figures[0],
            P90 = figures[1],
            P99 = figures[2],
            P999 = figures[3],
            Max = figures[4],
        };
    }

    public static void Produce(SessionOptions options)
    {
        using var queue = MessageQueue.Open(options.Directory);
        using var producer = queue.OpenProducer();
        var payload = new byte[options.PayloadBytes];
        PeerProcess.Say();
        PeerProcess.AwaitGo();
        for (var i = 0; i < options.Messages + WarmupMessages; i++)
        {
            Thread.Sleep(Pause);
            MemoryMarshal.Write(payload, Stopwatch.GetTimestamp());
            producer.Publish(payload);
        }

        PeerProcess.AwaitGo();
    }

    public static void Consume(SessionOptions options)
    {
        using var queue = MessageQueue.Open(options.Directory);
        using var consumer = queue.OpenConsumer("session");
        PeerProcess.Say();
        PeerProcess.AwaitGo();
        var latencies = new List<long>();
        foreach (var payload in consumer.ReadAll())
        {
            latencies.Add((long)Stopwatch.GetElapsedTime(MemoryMarshal.Read<long>(payload)).TotalNanoseconds);
            if (latencies.Count == options.Messages + WarmupMessages)
            {
                break;
            }
        }

        latencies.RemoveRange(0, WarmupMessages);
        latencies.Sort();
        PeerProcess.Say(Quantile(latencies, 0.5), Quantile(latencies, 0.9), Quantile(latencies, 0.99), Quantile(latencies, 0.999), latencies[^1]);
        PeerProcess.AwaitGo();
    }

    private static long Quantile(List<long> sorted, double share) => sorted[(int)(share * (sorted.Count - 1))];
}
