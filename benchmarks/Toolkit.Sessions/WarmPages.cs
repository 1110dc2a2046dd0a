namespace BufferedMessages.Sessions;

/// <summary>Makes a queue with one large segment, and puts its pages into the page cache: zeros over the zeros that a new segment holds.</summary>
internal static class WarmPages
{
    private const int SegmentBytes = 1024 * 1024 * 1024;

    public static void Prepare(string directory)
    {
        using (var queue = MessageQueue.Open(directory, new MessageQueueOptions { SegmentBytes = SegmentBytes }))
        {
            queue.OpenProducer().Dispose();
        }

        using var segment = File.OpenWrite(Directory.EnumerateFiles(directory, "*.segment").Single());
        var zeros = new byte[4 * 1024 * 1024];
        for (var written = 0L; written < SegmentBytes; written += zeros.Length)
        {
            segment.Write(zeros);
        }
    }
}
