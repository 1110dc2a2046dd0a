namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class RetentionEventTests : IDisposable
{
    private const int Segment = (int)QueueDirectory.SmallSegment;
    private const int OpenedOffset = 80;

    private readonly QueueDirectory _directory = new();
    private readonly HeardEvents _heard = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Segments_that_are_read_are_reported_when_the_queue_deletes_them()
    {
        using var queue = Open(new QueueRetention { DeleteRead = true });
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Fill(queue, 3);
        Assert.Empty(_heard.All);
        Read(consumer, 3);

        queue.ApplyRetention();

        AssertDeleted(2 * Segment, nameof(QueueRetention.DeleteRead));
        queue.ApplyRetention();
        Assert.Single(_heard.All);
    }

    [Fact]
    public void Segments_beyond_the_bytes_are_reported_while_a_producer_publishes()
    {
        var readable = new List<long>();
        using var queue = Open(new QueueRetention { MaxBytes = 2 * Segment, KeepUnread = false });

        // A producer that still held its record here would hold up this consumer.
        _heard.Then = heard =>
        {
            using var reader = queue.OpenReader<RawMessage>();
            readable.Add(reader.TryRead(out var delivery) ? queue.GetStatistics().FirstPosition : -1);
            Assert.Equal(heard.Position + QueueDirectory.FirstRecord, delivery.Position);
        };
        Fill(queue, 4);

        Assert.Equal([(Segment, Segment), (2 * Segment, Segment)], _heard.Of(QueueEventKind.SegmentsDeleted).Select(static heard => ((int)heard.Position!, (int)heard.Bytes!)));
        Assert.Equal([Segment, 2 * Segment], readable);
        Assert.All(_heard.All, static heard => Assert.Contains("(MaxBytes)", heard.Message, StringComparison.Ordinal));
    }

    [Fact]
    public void Segments_beyond_the_age_are_reported()
    {
        using var queue = Open(new QueueRetention { MaxAge = TimeSpan.FromHours(1), KeepUnread = false });
        Fill(queue, 4);
        for (var segment = 0; segment < 3; segment++)
        {
            QueueFormat.ChangeHeader(_directory, segment, OpenedOffset, BitConverter.GetBytes(DateTime.UtcNow.AddHours(-2).Ticks));
        }

        queue.ApplyRetention();

        AssertDeleted(2 * Segment, nameof(QueueRetention.MaxAge));
    }

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void The_oldest_segment_is_reported_when_it_goes_at_the_hard_limit(ProducerMode producers)
    {
        using var queue = Open(new QueueRetention { HardLimitBytes = 2 * Segment, DropOldestAtHardLimit = true }, producers);

        Fill(queue, 3);

        AssertDeleted(Segment, nameof(QueueRetention.HardLimitBytes));
    }

    [Fact]
    public void Each_name_that_lost_messages_is_reported_with_their_bytes()
    {
        using var queue = Open(new QueueRetention { MaxBytes = 2 * Segment, KeepUnread = false });
        using var slow = queue.OpenConsumer<RawMessage>("slow");
        using var group = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        using var fast = queue.OpenConsumer<RawMessage>("fast");
        Fill(queue, 2);
        Read(fast, 2);
        Read(group, 1);

        Fill(queue, 1);
        Read(fast, 1);
        Fill(queue, 1);

        Assert.Equal([("slow", Segment, Segment), ("slow", 2 * Segment, Segment), ("group", 2 * Segment, Segment)], from heard in _heard.Of(QueueEventKind.UnreadDeleted) select (heard.Consumer!, (int)heard.Position!, (int)heard.Bytes!));
        Assert.Equal(2, _heard.Of(QueueEventKind.SegmentsDeleted).Count);
    }

    private MessageQueue Open(QueueRetention retention, ProducerMode? producers = null)
    {
        var options = _heard.Options();
        (options.Retention, options.Producers) = (retention, producers);
        return MessageQueue.Open(_directory.Path, options);
    }

    private void AssertDeleted(long first, string rule)
    {
        var heard = Assert.Single(_heard.All);
        Assert.Equal((QueueEventKind.SegmentsDeleted, first, first), (heard.Kind, heard.Position, heard.Bytes));
        Assert.Contains($"({rule})", heard.Message, StringComparison.Ordinal);
    }

    private static void Fill(MessageQueue queue, int segments)
    {
        using var producer = queue.OpenProducer();
        for (var segment = 0; segment < segments; segment++)
        {
            producer.Publish(new byte[QueueDirectory.LargestPayload]);
        }
    }

    private static void Read(MessageConsumer<RawMessage> consumer, int messages)
    {
        for (var message = 0; message < messages; message++)
        {
            Assert.True(consumer.TryRead(out var delivery));
            delivery.Commit();
        }
    }
}
