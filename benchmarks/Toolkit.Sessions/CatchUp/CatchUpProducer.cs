using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>The side of <see cref="CatchUpSession"/> that is ahead.</summary>
internal static unsafe class CatchUpProducer
{
    public const string Role = "catch-up-producer";

    public static void Serve(SessionOptions options)
    {
        using var memory = SharedMemory.Open(options.Directory);
        var payload = new byte[options.PayloadBytes];
        while (PeerProcess.TryHearOrder(out var order))
        {
            using var queue = MessageQueue.Open(SessionDirectory.QueueOf(options, order[0]));
            using var producer = queue.OpenProducer();
            for (var i = 0L; i < order[1]; i++)
            {
                producer.Publish(payload);
            }

            PeerProcess.Answer();
            PeerProcess.AwaitGo();
            GoOn(producer, payload, memory, options.Rate);
            PeerProcess.Answer();
        }
    }

    private static void GoOn(MessageProducer producer, byte[] payload, SharedMemory memory, int rate)
    {
        var due = Stopwatch.GetTimestamp();
        while (Volatile.Read(ref *memory.BusyProducers) != 0)
        {
            if (Stopwatch.GetTimestamp() >= due)
            {
                producer.Publish(payload);
                due += Stopwatch.Frequency / rate;
            }
        }
    }
}
