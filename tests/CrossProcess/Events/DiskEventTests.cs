using System.Collections.Concurrent;

namespace BufferedMessages.CrossProcess.Events;

public sealed class DiskEventTests
{
    private const int MessageBytes = 8_000;

    private readonly ConcurrentQueue<QueueEvent> _heard = new();

    [SmallDiskFact]
    public void A_full_disk_is_reported_when_it_begins_and_again_after_there_was_room()
    {
        using var disk = SmallDisk.TryMount(megabytes: 5)!;
        using var queue = Open(Path.Combine(disk.Path, "queue"), FlushMode.None);
        using var producer = queue.OpenProducer();
        for (var round = 1; round <= 2; round++)
        {
            var filler = disk.FillBut(200_000);
            Assert.Throws<DiskFullException>(() => PublishUntilItFails(producer));
            Assert.Throws<DiskFullException>(() => PublishUntilItFails(producer));

            Assert.Equal(round, _heard.Count);
            var heard = _heard.Last();
            Assert.Equal((QueueEventKind.DiskFull, Parts.SegmentBytes), (heard.Kind, heard.Bytes));
            Assert.Equal(0, heard.Position % Parts.SegmentBytes);
            File.Delete(filler);
            PublishSegment(producer);
        }
    }

    [FailingDiskFact]
    public void A_failing_flush_is_reported_when_it_begins()
    {
        using var disk = FailingDisk.TryMount()!;

        // All messages are in one segment: the disk could not store the header of another one.
        using var queue = Open(Path.Combine(disk.Path, "queue"), FlushMode.EveryMessage, segmentBytes: 8 * 1024 * 1024);
        using var producer = queue.OpenProducer();
        producer.Publish(new byte[MessageBytes]);
        disk.Fail();
        Assert.Throws<FlushFailedException>(() => PublishUntilItFails(producer));
        Assert.Throws<FlushFailedException>(() => queue.WaitForDurable(queue.PublishedPosition - 1, TimeSpan.FromSeconds(30)));

        var heard = Assert.Single(_heard);
        Assert.Equal((QueueEventKind.FlushFailed, queue.DurablePosition), (heard.Kind, heard.Position));
        disk.Repair();
        producer.Publish("after the repair"u8);
        Assert.Single(_heard);
    }

    private static void PublishUntilItFails(MessageProducer producer)
    {
        var message = new byte[MessageBytes];
        for (var i = 0; i < 10_000; i++)
        {
            Array.Fill(message, (byte)i);
            producer.Publish(message);
        }
    }

    private static void PublishSegment(MessageProducer producer)
    {
        for (var bytes = 0L; bytes < Parts.SegmentBytes; bytes += MessageBytes)
        {
            producer.Publish(new byte[MessageBytes]);
        }
    }

    private MessageQueue Open(string directory, FlushMode flush, long segmentBytes = Parts.SegmentBytes) =>
        MessageQueue.Open(directory, new MessageQueueOptions { SegmentBytes = segmentBytes, Flush = flush, OnEvent = _heard.Enqueue });
}
