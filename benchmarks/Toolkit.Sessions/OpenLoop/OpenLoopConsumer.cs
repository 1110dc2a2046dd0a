using System.Diagnostics;
using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>The side of <see cref="OpenLoopSession"/> that measures how long after its time each message is there.</summary>
internal static class OpenLoopConsumer
{
    public const string Role = "open-loop-consumer";

    public static void Serve(SessionOptions options)
    {
        using var memory = SharedMemory.Open(options.Directory);
        var floor = new FloorRing(memory, options);
        while (PeerProcess.TryHearOrder(out var order))
        {
            var times = new long[order[2]];
            var allocated = 0L;
            if (order[0] == PeerProcess.FloorOrder)
            {
                Begin();
                Measure(times, () => floor.Read(messages: 1));
            }
            else
            {
                using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, order[1], OpenLoopSession.Queue));
                using var consumer = options.IsGroup ? queue.OpenConsumer<RawMessage>("session", new() { Shared = true }) : queue.OpenConsumer<RawMessage>("session");
                Begin();
                allocated = GC.GetAllocatedBytesForCurrentThread();
                Measure(times, () => Read(consumer, options.Wait));
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

    private static void Measure(long[] times, Func<long> read)
    {
        for (var i = 0; i < times.Length; i++)
        {
            var due = read();
            times[i] = Figures.NanosecondsSince(due);
        }
    }

    private static long Read(MessageConsumer<RawMessage> consumer, WaitMode wait)
    {
        using var message = consumer.Take(wait);
        var due = MemoryMarshal.Read<long>(message.Message.Bytes);
        message.Commit();
        return due;
    }
}
