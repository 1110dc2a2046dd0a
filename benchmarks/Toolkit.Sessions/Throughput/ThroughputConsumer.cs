using System.Diagnostics;
using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>A consumer of <see cref="ThroughputSession"/>.</summary>
internal static class ThroughputConsumer
{
    public const string Role = "throughput-consumer";

    public static void Serve(SessionOptions options)
    {
        using var memory = SharedMemory.Open(options.Directory);
        var floor = new FloorRing(memory, options);
        while (PeerProcess.TryHearOrder(out var order))
        {
            if (order[0] == PeerProcess.FloorOrder)
            {
                ReadFloor(floor, order[1]);
            }
            else
            {
                using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, order[1]));
                using var consumer = options.IsGroup
                    ? queue.OpenConsumer<RawMessage>("members", new() { Shared = true })
                    : queue.OpenConsumer<RawMessage>($"consumer {Environment.ProcessId}", new() { MessagesPerCommit = options.MessagesPerCommit });
                PeerProcess.Answer();
                foreach (var _ in order.AsSpan(2))
                {
                    PeerProcess.AwaitGo();
                    ReadPart(consumer);
                }
            }
        }
    }

    private static void ReadPart(MessageConsumer<RawMessage> consumer)
    {
        var allocated = GC.GetAllocatedBytesForCurrentThread();
        var tally = new Tally();
        while (!Read(consumer, ref tally))
        {
        }

        var end = Stopwatch.GetTimestamp();
        PeerProcess.Answer(end, GC.GetAllocatedBytesForCurrentThread() - allocated, tally.Messages, tally.Sum);
    }

    private static void ReadFloor(FloorRing floor, long messages)
    {
        PeerProcess.Answer();
        PeerProcess.AwaitGo();
        var sum = 0L;
        for (var read = 0L; read < messages; read += ThroughputSession.BatchMessages)
        {
            sum += floor.Read((int)Math.Min(ThroughputSession.BatchMessages, messages - read));
        }

        PeerProcess.Answer(Stopwatch.GetTimestamp(), 0, messages, sum);
    }

    /// <summary>Reads a batch; true when the end mark was in it.</summary>
    private static bool Read(MessageConsumer<RawMessage> consumer, ref Tally tally)
    {
        var left = ThroughputSession.BatchMessages;
        var sum = 0L;
        var isEnd = false;
        foreach (var delivery in consumer.ReadAll())
        {
            var number = MemoryMarshal.Read<long>(delivery.Message.Bytes);
            if (number == ThroughputProducer.EndMark)
            {
                isEnd = true;
                break;
            }

            sum += number;
            if (--left == 0)
            {
                break;
            }
        }

        // The loop left its last message uncommitted.
        if (consumer.TryRead(out var last))
        {
            last.Commit();
        }

        tally.Messages += ThroughputSession.BatchMessages - left;
        tally.Sum += sum;
        return isEnd;
    }

    private struct Tally
    {
        public long Messages;
        public long Sum;
    }
}
