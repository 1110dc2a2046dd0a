using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>The side of <see cref="CatchUpSession"/> that is behind.</summary>
internal static class CatchUpConsumer
{
    public const string Role = "catch-up-consumer";

    private const int BatchMessages = 10_000;

    public static void Serve(SessionOptions options)
    {
        var buffer = new byte[1024 * 1024];
        while (PeerProcess.TryHearOrder(out var order))
        {
            var path = SessionDirectory.QueueOf(options, order[0]);
            var floor = ReadFiles(path, buffer);
            using var queue = MessageQueue.Open(path);
            using var consumer = queue.OpenConsumer<RawMessage>("session");
            PeerProcess.Answer();
            PeerProcess.AwaitGo();
            var allocated = GC.GetAllocatedBytesForCurrentThread();
            var start = Stopwatch.GetTimestamp();
            var read = 0L;
            int batch;
            while ((batch = Read(consumer)) != 0)
            {
                read += batch;
            }

            PeerProcess.Answer(Stopwatch.GetTimestamp() - start, read, GC.GetAllocatedBytesForCurrentThread() - allocated, floor);
        }
    }

    /// <summary>Reads a batch, or less when there is no more.</summary>
    private static int Read(MessageConsumer<RawMessage> consumer)
    {
        var read = 0;
        while (read < BatchMessages && consumer.TryRead(out var message))
        {
            message.Commit();
            read++;
        }

        return read;
    }

    // In ticks.
    private static long ReadFiles(string path, byte[] buffer)
    {
        var start = Stopwatch.GetTimestamp();
        foreach (var segment in Directory.EnumerateFiles(path, "*.segment"))
        {
            using var file = File.OpenHandle(segment, share: FileShare.ReadWrite);
            int bytes;
            for (var offset = 0L; (bytes = RandomAccess.Read(file, buffer, offset)) != 0; offset += bytes)
            {
            }
        }

        return Stopwatch.GetTimestamp() - start;
    }
}
