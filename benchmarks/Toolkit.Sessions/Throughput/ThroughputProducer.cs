using System.Diagnostics;
using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>A producer of <see cref="ThroughputSession"/>.</summary>
internal static unsafe class ThroughputProducer
{
    public const string Role = "throughput-producer";

    /// <summary>What a message begins with that says there are no more; others begin with their number.</summary>
    public const long EndMark = -1;

    public static void Serve(SessionOptions options)
    {
        using var memory = SharedMemory.Open(options.Directory);
        var floor = new FloorRing(memory, options);
        var payload = new byte[options.PayloadBytes];
        while (PeerProcess.TryHearOrder(out var order))
        {
            if (order[0] == PeerProcess.FloorOrder)
            {
                PublishToFloor(floor, payload, order[1]);
            }
            else
            {
                using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, order[1]));
                using var activity = options.HasStamps ? new Activity("publish").SetIdFormat(ActivityIdFormat.W3C).Start() : null;
                using var producer = queue.OpenProducer(new() { StampTime = options.HasStamps, StampTrace = options.HasStamps });
                PeerProcess.Answer();
                foreach (var messages in order.AsSpan(2))
                {
                    PeerProcess.AwaitGo();
                    PublishPart(producer, payload, messages, memory, options);
                }
            }
        }
    }

    private static void PublishPart(MessageProducer producer, byte[] payload, long messages, SharedMemory memory, SessionOptions options)
    {
        var allocated = GC.GetAllocatedBytesForCurrentThread();
        var start = Stopwatch.GetTimestamp();
        for (var sent = 0L; sent < messages; sent += ThroughputSession.BatchMessages)
        {
            var count = (int)Math.Min(ThroughputSession.BatchMessages, messages - sent);
            if (options.MessagesPerBatch == 1)
            {
                Publish(producer, payload, sent, count);
            }
            else
            {
                PublishBatches(producer, payload, sent, count, options);
            }
        }

        allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        if (Interlocked.Decrement(ref *memory.BusyProducers) == 0)
        {
            // All messages are in front of the marks: one for all who read everything, or one for each who shares them.
            MemoryMarshal.Write(payload, EndMark);
            for (var marks = 0; marks < (options.IsGroup ? options.Consumers : 1); marks++)
            {
                producer.Publish(payload);
            }
        }

        PeerProcess.Answer(start, allocated);
    }

    private static void PublishToFloor(FloorRing floor, byte[] payload, long messages)
    {
        PeerProcess.Answer();
        PeerProcess.AwaitGo();
        var start = Stopwatch.GetTimestamp();
        for (var sent = 0L; sent < messages; sent += ThroughputSession.BatchMessages)
        {
            floor.Publish(payload, sent, (int)Math.Min(ThroughputSession.BatchMessages, messages - sent));
        }

        PeerProcess.Answer(start);
    }

    private static void PublishBatches(MessageProducer producer, byte[] payload, long first, int messages, SessionOptions options)
    {
        for (var sent = 0; sent < messages;)
        {
            var count = Math.Min(options.MessagesPerBatch, messages - sent);
            using var batch = producer.ClaimBatch(count * options.StampedRecordBytes);
            for (var end = sent + count; sent < end; sent++)
            {
                MemoryMarshal.Write(payload, first + sent);
                if (!batch.TryAdd(payload))
                {
                    throw new InvalidOperationException($"A batch of {count} messages has no room for all of them.");
                }
            }

            batch.Publish();
        }
    }

    private static void Publish(MessageProducer producer, byte[] payload, long first, int messages)
    {
        for (var i = 0; i < messages; i++)
        {
            MemoryMarshal.Write(payload, first + i);
            producer.Publish(payload);
        }
    }
}
