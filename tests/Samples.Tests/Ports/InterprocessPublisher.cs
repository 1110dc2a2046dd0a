namespace BufferedMessages.Samples.Tests.Ports;

/// <summary>The publisher of the sample of Cloudtoid.Interprocess, in docs/from-interprocess.md.</summary>
internal static class InterprocessPublisher
{
    public static async Task RunAsync(string name)
    {
        // <publisher>
        using var queue = MessageQueue.OpenShared(name, new() { SegmentBytes = 256 * 1024 });    // 4 slots: 1 MB
        using var producer = queue.OpenProducer();

        for (var i = 0; i < 256; i++)
        {
            await producer.PublishAsync(new[] { (byte)i });                                      // waits when the queue is full
            Console.WriteLine($"Enqueue #{i}");
        }
        // </publisher>
    }
}
