using System.Diagnostics;
using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>The side of <see cref="OpenLoopSession"/> that publishes by the clock.</summary>
internal static class OpenLoopProducer
{
    public const string Role = "open-loop-producer";

    // The consumer is at work by then.
    private static readonly long FirstDue = Stopwatch.Frequency / 1_000;

    public static void Serve(SessionOptions options)
    {
        using var memory = SharedMemory.Open(options.Directory);
        var floor = new FloorRing(memory, options);
        var payload = new byte[options.PayloadBytes];
        while (PeerProcess.TryHearOrder(out var order))
        {
            if (order[0] == PeerProcess.FloorOrder)
            {
                Begin();
                PublishOnTime(order[2], options.Rate, due => floor.Publish(payload, due, messages: 1));
                PeerProcess.Answer(0);
            }
            else
            {
                using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, order[1], OpenLoopSession.Queue));
                using var producer = queue.OpenProducer();
                Begin();
                var allocated = GC.GetAllocatedBytesForCurrentThread();
                PublishOnTime(order[2], options.Rate, due =>
                {
                    MemoryMarshal.Write(payload, due);
                    producer.Publish(payload);
                });
                PeerProcess.Answer(GC.GetAllocatedBytesForCurrentThread() - allocated);
            }
        }
    }

    private static void Begin()
    {
        PeerProcess.Answer();
        PeerProcess.AwaitGo();
    }

    // A producer that is late publishes at once, and does not move the times of the next messages.
    private static void PublishOnTime(long messages, int rate, Action<long> publish)
    {
        var first = Stopwatch.GetTimestamp() + FirstDue;
        for (var i = 0L; i < messages; i++)
        {
            var due = first + (i * Stopwatch.Frequency / rate);
            while (Stopwatch.GetTimestamp() < due)
            {
            }

            publish(due);
        }
    }
}
