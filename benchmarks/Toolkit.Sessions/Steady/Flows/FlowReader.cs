using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>The process of a <see cref="FlowPair"/> that reads.</summary>
internal static unsafe class FlowReader
{
    public const string Role = "flow-reader";

    public static void Serve(SessionOptions options)
    {
        using var memory = SharedMemory.Open(options.Directory);
        while (PeerProcess.TryHearOrder(out var order))
        {
            using var queue = options.Flow == Flow.Ring ? null : MessageQueue.Open(SessionDirectory.QueueOf(options, order[1]));
            using var sink = Flow.OpenSink(options, memory, queue);
            PeerProcess.Answer();
            if (order[0] != FlowPair.PairOrder)
            {
                PeerProcess.AwaitGo();
                ReadLaps(sink, memory, order[2], order[3], isSkipping: order[0] == FlowPair.PublishAloneOrder);
            }
            else
            {
                foreach (var messages in order.AsSpan(2))
                {
                    PeerProcess.AwaitGo();
                    var allocated = GC.GetAllocatedBytesForCurrentThread();
                    var sum = Read(sink, messages);
                    var end = Stopwatch.GetTimestamp();
                    PeerProcess.Answer(end, GC.GetAllocatedBytesForCurrentThread() - allocated, sum);
                }
            }
        }
    }

    private static void ReadLaps(FlowSink sink, SharedMemory memory, long lap, long laps, bool isSkipping)
    {
        var done = Volatile.Read(ref *memory.Answers);
        var (ticks, sum, allocated) = (0L, 0L, 0L);
        for (var i = 0L; i < FlowPair.PartsOfLap + laps; i++)
        {
            if (i == FlowPair.PartsOfLap)
            {
                (ticks, sum, allocated) = (0L, 0L, GC.GetAllocatedBytesForCurrentThread());
            }

            while (Volatile.Read(ref *memory.Calls) != done + i + 1)
            {
                Thread.SpinWait(FlowPair.SpinsPerLook);
            }

            if (isSkipping)
            {
                sink.Skip();
            }
            else
            {
                var start = Stopwatch.GetTimestamp();
                sum += Read(sink, lap);
                ticks += Stopwatch.GetTimestamp() - start;
            }

            Volatile.Write(ref *memory.Answers, done + i + 1);
        }

        PeerProcess.Answer(ticks, sum, GC.GetAllocatedBytesForCurrentThread() - allocated);
    }

    private static long Read(FlowSink sink, long messages)
    {
        var sum = 0L;
        for (var read = 0L; read < messages; read += FlowPair.BatchMessages)
        {
            sum += sink.Read((int)Math.Min(FlowPair.BatchMessages, messages - read));
        }

        return sum;
    }
}
