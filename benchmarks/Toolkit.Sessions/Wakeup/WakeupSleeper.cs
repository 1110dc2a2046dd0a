using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>The side of <see cref="WakeupSession"/> that sleeps, and measures when it is awake.</summary>
internal static unsafe class WakeupSleeper
{
    public const string Role = "wakeup-sleeper";

    public static void Serve(SessionOptions options)
    {
        using var memory = SharedMemory.Open(options.Directory);
        while (PeerProcess.TryHearOrder(out var order))
        {
            var times = new long[order[2]];
            var allocated = 0L;
            if (order[0] == PairSession.FloorOrder)
            {
                PeerProcess.Answer();
                PeerProcess.AwaitGo();
                SleepOnFloor(memory, times);
            }
            else
            {
                using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, order[1], WakeupSession.Queue));
                using var consumer = options.IsGroup ? queue.OpenConsumer<RawMessage>("session", new() { Shared = true }) : queue.OpenConsumer<RawMessage>("session");
                PeerProcess.Answer();
                PeerProcess.AwaitGo();
                allocated = GC.GetAllocatedBytesForCurrentThread();
                Read(consumer, times);
                allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
            }

            PeerProcess.Answer([.. Figures.Quantiles(times), allocated]);
        }
    }

    private static void Read(MessageConsumer<RawMessage> consumer, long[] times)
    {
        var read = 0;
        foreach (var delivery in consumer.ReadAll())
        {
            times[read] = Figures.NanosecondsSince(MemoryMarshal.Read<long>(delivery.Message.Bytes));
            if (++read == times.Length)
            {
                break;
            }
        }
    }

    private static void SleepOnFloor(SharedMemory memory, long[] times)
    {
        for (var i = 0; i < times.Length; i++)
        {
            var number = Volatile.Read(ref *memory.FutexDone) + 1;
            uint seen;
            while ((seen = Volatile.Read(ref *memory.Futex)) < number)
            {
                Futex.Wait(memory.Futex, seen);
            }

            times[i] = Figures.NanosecondsSince(Volatile.Read(ref *memory.WokenAt));
            Volatile.Write(ref *memory.FutexDone, number);
        }
    }
}
