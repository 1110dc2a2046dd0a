using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>The side of <see cref="LatencySession"/> that calls, and measures until the answer is there.</summary>
internal static class LatencyCaller
{
    public const string Role = "latency-caller";

    private const int BatchMessages = 1_000;

    public static void Serve(SessionOptions options)
    {
        using var memory = SharedMemory.Open(options.Directory);
        while (PeerProcess.TryHearOrder(out var order))
        {
            var times = new long[order[2]];
            if (order[0] == PeerProcess.FloorOrder)
            {
                Begin();
                CallFloor(memory, times);
                PeerProcess.Answer([.. Figures.Quantiles(times), 0]);
            }
            else
            {
                using var calls = MessageQueue.Open(SessionDirectory.QueueOf(options, order[1], LatencySession.CallQueue));
                using var answers = MessageQueue.Open(SessionDirectory.QueueOf(options, order[1], LatencySession.AnswerQueue));
                using var producer = calls.OpenProducer();
                using var consumer = options.IsGroup ? answers.OpenConsumer<RawMessage>("session", new() { Shared = true }) : answers.OpenConsumer<RawMessage>("session");
                var payload = new byte[options.PayloadBytes];
                var batch = new long[BatchMessages];
                Begin();
                for (var left = LatencySession.LapOf(options, times.Length); left > 0; left -= BatchMessages)
                {
                    Call(producer, consumer, options.Wait, payload, batch.AsMemory(0, (int)Math.Min(left, BatchMessages)));
                }

                var allocated = GC.GetTotalAllocatedBytes(precise: true);
                for (var done = 0; done < times.Length; done += BatchMessages)
                {
                    Call(producer, consumer, options.Wait, payload, times.AsMemory(done, Math.Min(BatchMessages, times.Length - done)));
                }

                allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
                PeerProcess.Answer([.. Figures.Quantiles(times), allocated]);
            }
        }
    }

    private static void Begin()
    {
        PeerProcess.Answer();
        PeerProcess.AwaitGo();
    }

    private static void Call(MessageProducer producer, MessageConsumer<RawMessage> consumer, WaitMode wait, byte[] payload, Memory<long> times)
    {
        if (wait == WaitMode.Async)
        {
            CallAsync(producer, consumer, payload, times).GetAwaiter().GetResult();
            return;
        }

        var before = Stopwatch.GetTimestamp();
        foreach (ref var time in times.Span)
        {
            producer.Publish(payload);
            consumer.Take(wait).Commit();
            time = TimeSince(ref before);
        }
    }

    private static async Task CallAsync(MessageProducer producer, MessageConsumer<RawMessage> consumer, byte[] payload, Memory<long> times)
    {
        var before = Stopwatch.GetTimestamp();
        for (var i = 0; i < times.Length; i++)
        {
            producer.Publish(payload);
            (await consumer.ReadAsync()).Commit();
            times.Span[i] = TimeSince(ref before);
        }
    }

    private static long TimeSince(ref long before)
    {
        var now = Stopwatch.GetTimestamp();
        var time = Figures.Nanoseconds(now - before);
        before = now;
        return time;
    }

    private static unsafe void CallFloor(SharedMemory memory, long[] times)
    {
        var number = Volatile.Read(ref *memory.Answers);
        var before = Stopwatch.GetTimestamp();
        for (var i = 0; i < times.Length; i++)
        {
            number++;
            Volatile.Write(ref *memory.Calls, number);
            while (Volatile.Read(ref *memory.Answers) != number)
            {
            }

            times[i] = TimeSince(ref before);
        }
    }
}
