using System.Diagnostics;
using BufferedMessages.Sessions;

namespace BufferedMessages.ColdBenchmarks;

/// <summary>Two new processes: one publishes trades as fast as it can, the other reads them.</summary>
internal static class FirstStream
{
    private const int Batch = 50;
    private const long Million = 1_000_000;
    private const long LastId = -1;

    private static readonly TimeSpan First = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan SteadyFrom = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan SteadyTo = TimeSpan.FromSeconds(2.5);

    /// <summary>Says how many were published a second in the first 200 milliseconds, in the first million, and when it has become steady.</summary>
    public static void Write(string directory)
    {
        using var queue = MessageQueue.Open(directory);
        using var producer = queue.OpenProducer<Trade>();
        var trade = Trade.Create();
        var published = 0L;
        var million = TimeSpan.Zero;
        var start = Stopwatch.GetTimestamp();
        var first = PublishUntil(First);
        var early = PublishUntil(SteadyFrom);
        var late = PublishUntil(SteadyTo);
        while (million == TimeSpan.Zero)
        {
            // On a slow machine the million comes later.
            PublishUntil(TimeSpan.Zero);
        }

        trade.Id = LastId;
        producer.Publish(trade);
        Console.WriteLine(FormattableString.Invariant($"{first.Messages / first.Seconds:0} {Million / million.TotalSeconds:0} {(late.Messages - early.Messages) / (late.Seconds - early.Seconds):0}"));

        (long Messages, double Seconds) PublishUntil(TimeSpan end)
        {
            TimeSpan elapsed;
            do
            {
                for (var i = 0; i < Batch; i++)
                {
                    trade.Id = published++;
                    producer.Publish(trade);
                }

                elapsed = Stopwatch.GetElapsedTime(start);
                if (published == Million)
                {
                    million = elapsed;
                }
            }
            while (elapsed < end);
            return (published, elapsed.TotalSeconds);
        }
    }

    public static void Read(string directory)
    {
        using var queue = MessageQueue.Open(directory);
        using var consumer = queue.OpenConsumer<TradeBufferedMessage>("session");
        Console.WriteLine();
        foreach (var delivery in consumer.ReadAll())
        {
            if (delivery.Message.Id == LastId)
            {
                delivery.Commit();
                break;
            }
        }
    }
}
