using System.Diagnostics;
using BufferedMessages.Sessions;

namespace BufferedMessages.ColdBenchmarks;

/// <summary>Programs that do one thing. Each writes the ticks of the clock that opening the queue, joining it, and the message took.</summary>
internal static class FirstMessage
{
    public static void Publish(string directory)
    {
        var start = Stopwatch.GetTimestamp();
        using var queue = MessageQueue.Open(directory);
        var opened = Stopwatch.GetTimestamp();
        using var producer = queue.OpenProducer<Trade>();
        var joined = Stopwatch.GetTimestamp();
        producer.Publish(Trade.Create());
        Tell(start, opened, joined, Stopwatch.GetTimestamp());
    }

    public static void Read(string directory)
    {
        var start = Stopwatch.GetTimestamp();
        using var queue = MessageQueue.Open(directory);
        var opened = Stopwatch.GetTimestamp();
        using var consumer = queue.OpenConsumer<TradeBufferedMessage>("session");
        var joined = Stopwatch.GetTimestamp();
        if (!consumer.TryRead(out var delivery) || delivery.Message.Quantity == 0)
        {
            throw new InvalidOperationException("The queue holds no trade.");
        }

        delivery.Commit();
        Tell(start, opened, joined, Stopwatch.GetTimestamp());
    }

    // The only output, in one call and without the console, which would cost much of the time.
    private static void Tell(long start, long opened, long joined, long done)
    {
        using var output = new FileStream(new Microsoft.Win32.SafeHandles.SafeFileHandle(1, ownsHandle: false), FileAccess.Write, bufferSize: 0);
        Span<byte> bytes = stackalloc byte[3 * sizeof(long)];
        BitConverter.TryWriteBytes(bytes, opened - start);
        BitConverter.TryWriteBytes(bytes[sizeof(long)..], joined - opened);
        BitConverter.TryWriteBytes(bytes[(2 * sizeof(long))..], done - joined);
        output.Write(bytes);
    }
}
