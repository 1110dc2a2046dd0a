using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>The process of a <see cref="FlowPair"/> that publishes.</summary>
internal static unsafe class FlowWriter
{
    public const string Role = "flow-writer";

    public static void Serve(SessionOptions options)
    {
        using var memory = SharedMemory.Open(options.Directory);
        while (PeerProcess.TryHearOrder(out var order))
        {
            using var queue = options.Flow == Flow.Ring ? null : MessageQueue.Open(SessionDirectory.QueueOf(options, order[1]));
            using var source = Flow.OpenSource(options, memory, queue);
            PeerProcess.Answer();
            if (order[0] != FlowPair.PairOrder)
            {
                PeerProcess.AwaitGo();
                Refill(source, memory, order[2], order[3]);
            }
            else
            {
                foreach (var messages in order.AsSpan(2))
                {
                    PeerProcess.AwaitGo();
                    PublishPart(source, messages);
                }
            }
        }
    }

    private static void PublishPart(FlowSource source, long messages)
    {
        var allocated = GC.GetAllocatedBytesForCurrentThread();
        var start = Stopwatch.GetTimestamp();
        Publish(source, messages);
        var end = Stopwatch.GetTimestamp();
        PeerProcess.Answer(start, end, GC.GetAllocatedBytesForCurrentThread() - allocated);
    }

    // A part of a lap at a time, while the reader does nothing.
    private static void Refill(FlowSource source, SharedMemory memory, long lap, long laps)
    {
        var done = Volatile.Read(ref *memory.Answers);
        var (ticks, allocated) = (0L, 0L);
        for (var i = 0L; i < FlowPair.PartsOfLap + laps; i++)
        {
            if (i == FlowPair.PartsOfLap)
            {
                (ticks, allocated) = (0L, GC.GetAllocatedBytesForCurrentThread());
            }

            while (Volatile.Read(ref *memory.Answers) != done + i)
            {
                Thread.SpinWait(FlowPair.SpinsPerLook);
            }

            var start = Stopwatch.GetTimestamp();
            Publish(source, lap);
            ticks += Stopwatch.GetTimestamp() - start;
            Volatile.Write(ref *memory.Calls, done + i + 1);
        }

        PeerProcess.Answer(ticks, GC.GetAllocatedBytesForCurrentThread() - allocated);
    }

    private static void Publish(FlowSource source, long messages)
    {
        for (var sent = 0L; sent < messages; sent += FlowPair.BatchMessages)
        {
            source.Publish(sent, (int)Math.Min(FlowPair.BatchMessages, messages - sent));
        }
    }
}
