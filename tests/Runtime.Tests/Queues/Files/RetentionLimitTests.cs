namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Limits that are not a number of whole segments, and rules that act together.</summary>
public sealed class RetentionLimitTests : IDisposable
{
    private const int Segment = (int)QueueDirectory.SmallSegment;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(2 * Segment, 2)]
    [InlineData((3 * Segment) - 1, 2)]
    [InlineData(3 * Segment, 3)]
    public void The_segments_that_are_kept_have_at_most_the_bytes_of_the_limit(int maxBytes, int segments)
    {
        using var queue = Open(new QueueRetention { MaxBytes = maxBytes, KeepUnread = false });
        Fill(queue, 6);

        queue.ApplyRetention();

        Assert.Equal(segments, Segments());
    }

    [Theory]
    [InlineData(2 * Segment, 2)]
    [InlineData((3 * Segment) - 1, 2)]
    [InlineData(3 * Segment, 3)]
    public void Producers_wait_before_the_segments_exceed_the_hard_limit(int hardLimitBytes, int segments)
    {
        using var queue = Open(new QueueRetention { HardLimitBytes = hardLimitBytes });
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        for (var published = 0; published < segments; published++)
        {
            Assert.True(producer.TryPublish(Full(), out _));
        }

        Assert.False(producer.TryPublish(Full(), out _));
        Assert.Equal(segments, Segments());
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Commit();
        Assert.True(producer.TryPublish(Full(), out _, Generous));
        Assert.False(producer.TryPublish(Full(), out _));
        Assert.Equal(segments, Segments());
    }

    [Theory]
    [InlineData(2 * Segment, 2)]
    [InlineData((3 * Segment) - 1, 2)]
    [InlineData(3 * Segment, 3)]
    public void The_oldest_segments_are_deleted_before_they_exceed_the_hard_limit(int hardLimitBytes, int segments)
    {
        using var queue = Open(new QueueRetention { HardLimitBytes = hardLimitBytes, DropOldestAtHardLimit = true });
        using var producer = queue.OpenProducer();
        for (var published = 1; published <= 6; published++)
        {
            producer.Publish(Full());
            Assert.Equal(Math.Min(published, segments), Segments());
        }
    }

    [Fact]
    public void A_queue_that_deletes_what_was_read_stays_within_its_bytes_too()
    {
        using var queue = Open(new QueueRetention { DeleteRead = true, MaxBytes = 3 * Segment, KeepUnread = false });
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Fill(queue, 6);
        queue.ApplyRetention();
        Assert.Equal(3, Segments());
        consumer.Seek(QueueStart.Earliest);
        for (var read = 0; read < 2; read++)
        {
            Assert.True(consumer.TryRead(out var delivery));
            delivery.Commit();
        }

        queue.ApplyRetention();

        Assert.Equal(1, Segments());
        Assert.True(consumer.TryRead(out var last));
        Assert.Equal((5 * Segment) + QueueDirectory.FirstRecord, last.Position);
    }

    private static byte[] Full() => new byte[QueueDirectory.LargestPayload];

    /// <summary>Publishes messages that fill a segment each.</summary>
    private static void Fill(MessageQueue queue, int segments)
    {
        using var producer = queue.OpenProducer();
        for (var segment = 0; segment < segments; segment++)
        {
            producer.Publish(Full());
        }
    }

    private int Segments() => Directory.GetFiles(_directory.Path, "*.segment").Length;

    private MessageQueue Open(QueueRetention retention) =>
        MessageQueue.Open(_directory.Path, new MessageQueueOptions { SegmentBytes = Segment, Retention = retention });
}
