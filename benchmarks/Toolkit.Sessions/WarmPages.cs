namespace BufferedMessages.Sessions;

/// <summary>Puts the pages of a durable queue's first segment, a large one, into the page cache: zeros over the zeros after the header of a new segment.</summary>
internal static class WarmPages
{
    /// <summary>A round fits into one segment of this size.</summary>
    public const long SegmentBytes = 1024 * 1024 * 1024;

    // See docs/format/queues.md, part Segments.
    private const int HeaderBytes = 128;

    public static bool AreNeeded(SessionOptions options) => options is { HasWarmPages: true, Mode: QueueMode.Durable };

    public static void Prepare(string directory, SessionOptions options)
    {
        using (var queue = MessageQueue.Open(directory))
        {
            // The first segment is made for the queue's content.
            using IDisposable producer = options.Flow is Flow.TradesOneField or Flow.TradesAllFields ? queue.OpenProducer<Trade>() : queue.OpenProducer();
        }

        using var segment = File.OpenWrite(Directory.EnumerateFiles(directory, "*.segment").Single());
        var zeros = new byte[4 * 1024 * 1024];
        segment.Position = HeaderBytes;
        for (var left = segment.Length - HeaderBytes; left > 0; left -= zeros.Length)
        {
            segment.Write(zeros.AsSpan(0, (int)Math.Min(zeros.Length, left)));
        }
    }
}
