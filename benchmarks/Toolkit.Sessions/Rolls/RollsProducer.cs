using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>The side of <see cref="RollsSession"/> that publishes, and measures each publish.</summary>
internal static class RollsProducer
{
    public const string Role = "rolls-producer";

    private const int BatchMessages = 10_000;

    public static void Serve(SessionOptions options)
    {
        var payload = new byte[options.PayloadBytes];
        while (PeerProcess.TryHearOrder(out var order))
        {
            // The pages of the array are there before the clock starts.
            var times = new long[order[2]];
            times.AsSpan().Fill(1);
            var allocated = 0L;
            if (order[0] == PeerProcess.FloorOrder)
            {
                using var floor = new BareSegments(options, order[1]);
                Begin();
                Measure(times, payload, floor.Write);
            }
            else
            {
                using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, order[1], RollsSession.Queue));
                using var producer = queue.OpenProducer();
                Begin();
                allocated = GC.GetAllocatedBytesForCurrentThread();
                Measure(times, payload, bytes => producer.Publish(bytes));
                allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
            }

            PeerProcess.Answer([.. Figures.Quantiles(times), allocated]);
        }
    }

    private static void Begin()
    {
        PeerProcess.Answer();
        PeerProcess.AwaitGo();
    }

    private static void Measure(long[] times, byte[] payload, Action<byte[]> write)
    {
        for (var done = 0; done < times.Length; done += BatchMessages)
        {
            Measure(times.AsSpan(done, Math.Min(BatchMessages, times.Length - done)), payload, write);
        }
    }

    private static void Measure(Span<long> times, byte[] payload, Action<byte[]> write)
    {
        var before = Stopwatch.GetTimestamp();
        foreach (ref var time in times)
        {
            write(payload);
            var now = Stopwatch.GetTimestamp();
            time = Figures.Nanoseconds(now - before);
            before = now;
        }
    }
}
