using System.Diagnostics;
using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>The side of <see cref="WakeupSession"/> that publishes.</summary>
internal static unsafe class WakeupWaker
{
    public const string Role = "wakeup-waker";

    // Much longer than a waiter looks before it sleeps.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);

    public static void Serve(SessionOptions options)
    {
        PeerProcess.Pin(options, side: 0);
        using var memory = SharedMemory.Open(options.Directory);
        while (PeerProcess.TryHearOrder(out var order))
        {
            var awake = Volatile.Read(ref *memory.Awake);
            if (order[0] == PeerProcess.FloorOrder)
            {
                PeerProcess.Answer();
                PeerProcess.AwaitGo();
                WakeFloor(memory, awake, WakeupSession.FirstWakes + order[2]);
                PeerProcess.Answer(0);
            }
            else
            {
                using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, order[1], WakeupSession.Queue));
                using var producer = queue.OpenProducer();
                PeerProcess.Answer();
                PeerProcess.AwaitGo();
                var payload = new byte[options.PayloadBytes];
                var allocated = GC.GetAllocatedBytesForCurrentThread();
                Publish(memory, awake, producer, payload, WakeupSession.FirstWakes + order[2]);
                PeerProcess.Answer(GC.GetAllocatedBytesForCurrentThread() - allocated);
            }
        }
    }

    private static void Publish(SharedMemory memory, long awake, MessageProducer producer, byte[] payload, long messages)
    {
        for (var i = 0L; i < messages; i++)
        {
            AwaitSleep(memory, awake + i);
            MemoryMarshal.Write(payload, Stopwatch.GetTimestamp());
            producer.Publish(payload);
        }
    }

    private static void WakeFloor(SharedMemory memory, long awake, long messages)
    {
        for (var i = 0L; i < messages; i++)
        {
            AwaitSleep(memory, awake + i);
            Volatile.Write(ref *memory.WokenAt, Stopwatch.GetTimestamp());
            Interlocked.Increment(ref *memory.Futex);
            Futex.Wake(memory.Futex);
        }
    }

    // A sleeper that was late gets its pause too: otherwise one delay is counted for each message that came during it.
    private static void AwaitSleep(SharedMemory memory, long awake)
    {
        while (Volatile.Read(ref *memory.Awake) != awake)
        {
            Thread.Sleep(Pause);
        }

        Thread.Sleep(Pause);
    }
}
