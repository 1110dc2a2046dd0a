using BufferedMessages.Queues;
using BufferedMessages.Runtime.Tests.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A queue that was made anew at the path of another one: handles and producers of the first leave it alone.</summary>
public sealed class ReplacedQueueTests : IDisposable
{
    private const long Segment = QueueDirectory.SmallSegment;

    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

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

    [LinuxFact]
    public void A_live_producer_of_a_queue_that_was_renamed_is_not_taken_for_dead()
    {
        using var renamed = new RenamedQueue(_directory);
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        using (var consumer = queue.OpenConsumer<RawMessage>("all"))
        {
            var claim = producer.Claim(sizeof(int));
            var waiting = new Background(() => Assert.Throws<StaleQueueException>(() => consumer.TryRead(out _, Generous)));
            Thread.Sleep(50);
            using var other = renamed.Replace();
            waiting.Join();
            Payload.Of(1).CopyTo(claim.Span);
            claim.Commit(sizeof(int));
        }

        using var again = MessageQueue.OpenExisting(renamed.Path);
        using var heir = again.OpenConsumer<RawMessage>("all");
        Assert.Equal([1], Payload.ReadNumbers(heir));
    }

    [LinuxFact]
    public void The_message_of_a_live_member_of_a_queue_that_was_renamed_goes_to_no_other()
    {
        var options = new ConsumerOptions { Shared = true };
        using var renamed = new RenamedQueue(_directory);
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var holder = queue.OpenConsumer<RawMessage>("group", options);
        using var member = queue.OpenConsumer<RawMessage>("group", options);
        producer.Publish(Payload.Of(1));
        Assert.True(holder.TryRead(out var held));
        var waiting = new Background(() => Assert.Throws<StaleQueueException>(() => member.TryRead(out _, Generous)));
        Thread.Sleep(50);
        using var other = renamed.Replace();

        waiting.Join();
        held.Commit();
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

    /// <summary>The folder of a queue under another name. At its path is another queue, whose leases are free.</summary>
    private sealed class RenamedQueue(QueueDirectory directory) : IDisposable
    {
        public string Path { get; } = directory.Path + ".renamed";

        public MessageQueue Replace()
        {
            Directory.Move(directory.Path, Path);
            return directory.Open();
        }

        public void Dispose() => Directory.Delete(Path, recursive: true);
    }
}
