using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>The side of <see cref="WakeupSession"/> that sleeps, and measures when it is awake.</summary>
internal static unsafe class WakeupSleeper
{
    public const string Role = "wakeup-sleeper";

    public static void Serve(SessionOptions options)
    {
        PeerProcess.Pin(options, side: 1);
        using var memory = SharedMemory.Open(options.Directory);
        while (PeerProcess.TryHearOrder(out var order))
        {
            var times = new long[WakeupSession.FirstWakes + order[2]];
            var allocated = 0L;
            if (order[0] == PeerProcess.FloorOrder)
            {
                var seen = Volatile.Read(ref *memory.Futex);
                PeerProcess.Answer();
                PeerProcess.AwaitGo();
                SleepOnFloor(memory, seen, times);
            }
            else
            {
                using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, order[1], WakeupSession.Queue));
                using var consumer = options.IsGroup ? queue.OpenConsumer<RawMessage>("session", new() { Shared = true }) : queue.OpenConsumer<RawMessage>("session");
                PeerProcess.Answer();
                PeerProcess.AwaitGo();
                allocated = GC.GetAllocatedBytesForCurrentThread();
                Read(memory, consumer, times);
                allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
            }

            PeerProcess.Answer([.. Figures.Quantiles(times.AsSpan(WakeupSession.FirstWakes)), allocated]);
        }
    }

    private static void Read(SharedMemory memory, MessageConsumer<RawMessage> consumer, long[] times)
    {
        var read = 0;
        foreach (var delivery in consumer.ReadAll())
        {
            times[read] = Figures.NanosecondsSince(MemoryMarshal.Read<long>(delivery.Message.Bytes));
            Interlocked.Increment(ref *memory.Awake);
            if (++read == times.Length)
            {
                break;
            }
        }
    }

    private static void SleepOnFloor(SharedMemory memory, uint seen, long[] times)
    {
        for (var i = 0; i < times.Length; i++)
        {
            while (Volatile.Read(ref *memory.Futex) == seen)
            {
                Futex.Wait(memory.Futex, seen);
            }

            times[i] = Figures.NanosecondsSince(Volatile.Read(ref *memory.WokenAt));
            seen++;
            Interlocked.Increment(ref *memory.Awake);
        }
    }
}
