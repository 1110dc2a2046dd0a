using BufferedMessages.Queues;
using BufferedMessages.Runtime.Tests.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A queue that was made anew at the path of another one: handles and producers of the first leave it alone.</summary>
public sealed class ReplacedQueueTests : IDisposable
{
    private const long Segment = QueueDirectory.SmallSegment;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [LinuxFact]
    public void Retention_deletes_none_of_its_segments()
    {
        using var queue = MessageQueue.Open(
            _directory.Path, new MessageQueueOptions { SegmentBytes = Segment, Retention = new QueueRetention { MaxBytes = 2 * Segment, KeepUnread = false } });
        FillSegments(queue, 6);
        using var other = Replace();

        Assert.Throws<StaleQueueException>(queue.ApplyRetention);

        Assert.All(Enumerable.Range(0, 3), number => Assert.True(File.Exists(_directory.SegmentFile(number * Segment))));
        using var consumer = other.OpenConsumer<RawMessage>("all");
        Assert.True(consumer.TryRead(out _));
    }

    [LinuxFact]
    public void The_deletion_of_a_name_changes_nothing_in_it()
    {
        using var queue = _directory.Open();
        queue.OpenConsumer<RawMessage>("all").Dispose();
        using var other = Replace();
        var unfinished = $"{_directory.SegmentFile(3 * Segment)}.{FileSegments.UnfinishedSuffix(1)}";
        File.WriteAllBytes(unfinished, new byte[1]);

        Assert.Throws<StaleQueueException>(() => queue.DeleteConsumer("all"));

        Assert.True(File.Exists(unfinished));
    }

    [LinuxFact]
    public void A_producer_makes_no_segment_in_it()
    {
        using (var queue = _directory.Open())
        {
            FillSegments(queue, 3);
        }

        // Without a producer object, so that the watch does not come first.
        var stale = QueueHandle.Open(_directory.Path);
        using var other = Replace();

        Assert.Throws<StaleQueueException>(() => stale.Segments.TryOpen(3, new SegmentOpener(1, new LivenessProbe(stale.Control))));

        stale.Release();
        Assert.Equal(3, Directory.GetFiles(_directory.Path, "*.segment").Length);
    }

    [LinuxFact]
    public void A_reader_is_not_opened_in_it()
    {
        using var queue = _directory.Open();
        using var other = Replace();

        Assert.Throws<StaleQueueException>(() => queue.OpenReader<RawMessage>());
    }

    // A queue of three segments.
    private MessageQueue Replace()
    {
        Directory.Delete(_directory.Path, recursive: true);
        var other = _directory.Open();
        FillSegments(other, 3);
        return other;
    }

    private static void FillSegments(MessageQueue queue, int count)
    {
        using var producer = queue.OpenProducer();
        for (var number = 0; number < count; number++)
        {
            producer.Publish(Payload.Of(number, QueueDirectory.LargestPayload));
        }
    }
}
