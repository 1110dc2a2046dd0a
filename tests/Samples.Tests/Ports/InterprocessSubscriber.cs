namespace BufferedMessages.Samples.Tests.Ports;

/// <summary>The subscriber of the sample of Cloudtoid.Interprocess, in docs/from-interprocess.md.</summary>
internal static class InterprocessSubscriber
{
    public static void Run(string name)
    {
        // <subscriber>
        using var queue = MessageQueue.OpenShared(name, new() { SegmentBytes = 256 * 1024 });
        using var consumer = queue.OpenConsumer<RawMessage>("subscribers", new() { Shared = true });

        foreach (var delivery in consumer.ReadAll())
        {
            var number = delivery.Message.Bytes[0];
            Console.WriteLine($"Dequeue #{number}");
            delivery.Commit();
            if (number == 255)
            {
                break;                                  // the last one of this sample
            }
        }
        // </subscriber>
    }
}
