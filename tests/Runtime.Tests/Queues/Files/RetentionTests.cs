using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class RetentionTests : IDisposable
{
    private const int Segment = (int)QueueDirectory.SmallSegment;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private const int OpenedOffset = 80;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Without_retention_nothing_is_deleted()
    {
        using var queue = Open(retention: null);
        Fill(queue, 5);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.Equal(5, ReadSegments(consumer));

        queue.ApplyRetention();

        Assert.Equal(5, Segments());
    }

    [Fact]
    public void Beyond_its_bytes_a_queue_loses_its_oldest_segments_while_it_is_written()
    {
        using var queue = Open(new QueueRetention { MaxBytes = 3 * Segment, KeepUnread = false });

        Fill(queue, 10);

        Assert.Equal(3, Segments());
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal((7 * Segment) + QueueDirectory.FirstRecord, delivery.Position);
        delivery.Dispose();
    }

    [Fact]
    public void What_a_name_has_not_read_is_kept_by_default()
    {
        using var queue = Open(new QueueRetention { MaxBytes = 2 * Segment });
        using var consumer = queue.OpenConsumer<RawMessage>("slow");
        Fill(queue, 6);
        Assert.Equal(6, Segments());

        Assert.Equal(2, ReadSegments(consumer, limit: 2));
        queue.ApplyRetention();
        Assert.Equal(4, Segments());

        Assert.Equal(4, ReadSegments(consumer));
        queue.ApplyRetention();
        Assert.Equal(2, Segments());
    }

    [Fact]
    public void What_every_name_has_read_is_deleted()
    {
        using var queue = Open(new QueueRetention { DeleteRead = true });
        using var fast = queue.OpenConsumer<RawMessage>("fast");
        using var group = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        Fill(queue, 5);
        Assert.Equal(5, ReadSegments(fast));
        queue.ApplyRetention();
        Assert.Equal(5, Segments());

        Assert.Equal(3, ReadSegments(group, limit: 3));
        queue.ApplyRetention();

        Assert.Equal(2, Segments());
    }

    [Fact]
    public void A_message_that_a_member_holds_keeps_its_segment()
    {
        using var queue = Open(new QueueRetention { DeleteRead = true });
        using var holder = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        using var other = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        Fill(queue, 4);
        Assert.True(holder.TryRead(out var held));
        Assert.Equal(3, ReadSegments(other));

        queue.ApplyRetention();
        Assert.Equal(4, Segments());

        held.Commit();
        queue.ApplyRetention();
        Assert.Equal(1, Segments());
    }

    [Fact]
    public void Without_any_name_nothing_counts_as_read()
    {
        using var queue = Open(new QueueRetention { DeleteRead = true, MaxBytes = Segment });
        Fill(queue, 4);

        queue.ApplyRetention();

        Assert.Equal(4, Segments());
    }

    [Fact]
    public void Segments_older_than_the_age_are_deleted_up_to_the_first_that_is_younger()
    {
        using var queue = Open(new QueueRetention { MaxAge = TimeSpan.FromHours(1), KeepUnread = false });
        Fill(queue, 5);
        foreach (var openedLongAgo in new[] { 0, 1, 2, 4 })
        {
            SetOpened(openedLongAgo, DateTime.UtcNow.AddHours(-2));
        }

        queue.ApplyRetention();

        Assert.Equal(3, Segments());
    }

    [Fact]
    public void A_damaged_segment_stops_no_producer_and_is_as_old_as_the_next_sound_one()
    {
        using var queue = Open(new QueueRetention { MaxAge = TimeSpan.FromHours(1), KeepUnread = false });
        Fill(queue, 4);
        QueueDirectory.Damage(_directory.SegmentFile(Segment), 0, 0xFF);

        Fill(queue, 1);

        Assert.Equal(5, Segments());
        SetOpened(2, DateTime.UtcNow.AddHours(-2));
        queue.ApplyRetention();
        Assert.Equal(3, Segments());
    }

    [Fact]
    public void The_newest_segment_stays_however_old_it_is()
    {
        using var queue = Open(new QueueRetention { MaxAge = TimeSpan.FromHours(1), KeepUnread = false });
        Fill(queue, 3);
        for (var segment = 0; segment < 3; segment++)
        {
            SetOpened(segment, DateTime.UtcNow.AddYears(-2));
        }

        queue.ApplyRetention();

        Assert.True(File.Exists(_directory.SegmentFile(2 * Segment)));
        Assert.Equal(1, Segments());
    }

    [Fact]
    public void A_clock_that_was_set_back_deletes_nothing()
    {
        using var queue = Open(new QueueRetention { MaxAge = TimeSpan.FromHours(1), KeepUnread = false });
        Fill(queue, 4);
        for (var segment = 0; segment < 4; segment++)
        {
            SetOpened(segment, DateTime.UtcNow.AddYears(10));
        }

        queue.ApplyRetention();

        Assert.Equal(4, Segments());
    }

    // The newest message of a segment is not younger than the opening of the next one.
    [Fact]
    public void The_age_of_a_full_segment_is_that_of_its_end()
    {
        using var queue = Open(new QueueRetention { MaxAge = TimeSpan.FromHours(1), KeepUnread = false });
        Fill(queue, 1);
        SetOpened(0, DateTime.UtcNow.AddDays(-1));

        Fill(queue, 2);

        Assert.True(File.Exists(_directory.SegmentFile(0)));
        SetOpened(1, DateTime.UtcNow.AddHours(-2));
        queue.ApplyRetention();
        Assert.False(File.Exists(_directory.SegmentFile(0)));
        Assert.True(File.Exists(_directory.SegmentFile(Segment)));
    }

    [Fact]
    public void A_reader_whose_messages_were_deleted_is_told_and_goes_on_at_the_earliest()
    {
        using var queue = Open(new QueueRetention { MaxBytes = 2 * Segment, KeepUnread = false });
        using var late = queue.OpenConsumer<RawMessage>("late");
        using var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        Fill(queue, 6);

        foreach (var consumer in new[] { late, member })
        {
            var exception = Assert.Throws<MessagesDeletedException>(() => consumer.TryRead(out _));
            Assert.Equal((0, 4 * Segment), (exception.Position, exception.FirstPosition));
            Assert.Equal(0, consumer.Seek(QueueStart.Earliest));
            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal((4 * Segment) + QueueDirectory.FirstRecord, delivery.Position);
            delivery.Commit();
        }
    }

    [Fact]
    public void A_reader_in_the_middle_of_a_deleted_segment_ends_it_first()
    {
        using var queue = Open(new QueueRetention { MaxBytes = 2 * Segment, KeepUnread = false });
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 4);
        using var consumer = queue.OpenConsumer<RawMessage>("middle", new() { Start = QueueStart.At(positions[2]) });
        Assert.True(consumer.TryRead(out var delivery));
        Fill(queue, 5);
        Assert.Equal(2, Payload.Number(delivery.Message.Bytes));
        delivery.Commit();

        Assert.True(consumer.TryRead(out var next));
        Assert.Equal(3, Payload.Number(next.Message.Bytes));
        next.Commit();
        Assert.Throws<MessagesDeletedException>(() => consumer.TryRead(out _));
    }

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void At_the_hard_limit_producers_wait_until_consumers_have_read_a_segment(ProducerMode producers)
    {
        using var queue = Open(new QueueRetention { HardLimitBytes = 3 * Segment }, producers);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        for (var segment = 0; segment < 3; segment++)
        {
            producer.Publish(Full());
        }

        Assert.False(producer.TryPublish(Full(), out _));
        Assert.False(producer.TryPublish(Full(), out _, TimeSpan.FromMilliseconds(5)));
        var publishing = new Background(() => producer.Publish(Full()));
        Assert.Equal(1, ReadSegments(consumer, limit: 1));
        publishing.Join();

        Assert.Equal(3, Segments());
        Assert.Equal(3, ReadSegments(consumer));
    }

    [Fact]
    public void At_the_hard_limit_with_many_producers_and_members_every_message_goes_through()
    {
        const int Count = 60;
        using var queue = Open(new QueueRetention { HardLimitBytes = 2 * Segment });
        using var first = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        var producing = Enumerable.Range(0, 3).Select(_ => new Background(() =>
        {
            using var producer = queue.OpenProducer();
            for (var number = 0; number < Count; number++)
            {
                producer.Publish(Payload.Of(number, 20_000));
            }
        })).ToList();
        var read = 0;
        while (read < 3 * Count)
        {
            if (!first.TryRead(out var delivery, Generous))
            {
                // One of them says why.
                producing.ForEach(thread => thread.Join());
                Assert.Fail("A message is missing.");
            }

            delivery.Commit();
            read++;
        }

        producing.ForEach(thread => thread.Join());
        Assert.False(first.TryRead(out _));
        Assert.InRange(Segments(), 1, 2);
    }

    [Fact]
    public void A_segment_that_a_late_producer_makes_anew_does_not_stay()
    {
        using var queue = Open(new QueueRetention { MaxBytes = 2 * Segment, KeepUnread = false });
        Fill(queue, 6);
        var handle = QueueHandle.Open(_directory.Path);
        ref var opened = ref handle.Control.Header.OpenSegments;
        var count = opened;

        // As a producer that sleeps in the middle of the opening has seen it.
        opened = 3;
        Assert.True(handle.Segments.TryOpen(3, new SegmentOpener(Slot: 100, new LivenessProbe(handle.Control))));
        opened = count;
        handle.Release();

        Assert.Equal(2, Segments());
    }

    [Fact]
    public void At_the_hard_limit_the_oldest_segment_goes_when_that_was_asked_for()
    {
        using var queue = Open(new QueueRetention { HardLimitBytes = 2 * Segment, DropOldestAtHardLimit = true });
        using var consumer = queue.OpenConsumer<RawMessage>("slow");

        Fill(queue, 6);

        Assert.Equal(2, Segments());
        Assert.Equal(4 * Segment, Assert.Throws<MessagesDeletedException>(() => consumer.TryRead(out _)).FirstPosition);
    }

    [Fact]
    public void Retention_is_stored_and_replaced_by_an_opener_that_passes_another()
    {
        using (var queue = Open(new QueueRetention { MaxBytes = 2 * Segment, KeepUnread = false }))
        {
            Fill(queue, 4);
        }

        using (var same = Open(retention: null))
        {
            Fill(same, 4);
            Assert.Equal(2, Segments());
        }

        using var other = Open(new QueueRetention { MaxBytes = 4 * Segment, KeepUnread = false });
        Fill(other, 6);
        Assert.Equal(4, Segments());
    }

    [Fact]
    public void Limits_that_contradict_each_other_are_refused()
    {
        QueueRetention[] contradictions =
        [
            new() { HardLimitBytes = (2 * Segment) - 1 },
            new() { MaxBytes = Segment - 1 },
            new() { MaxBytes = 4 * Segment, HardLimitBytes = 3 * Segment },
            new() { DropOldestAtHardLimit = true },
        ];
        Assert.All(contradictions, retention => Assert.Throws<ArgumentException>(() => Open(retention)));
        Assert.False(File.Exists(_directory.ControlFile));

        Open(retention: null).Dispose();
        Assert.All(contradictions, retention => Assert.Throws<ArgumentException>(() => Open(retention)));
    }

    [Fact]
    public void A_queue_that_was_cut_survives_a_restart_of_the_machine()
    {
        using (var queue = Open(new QueueRetention { MaxBytes = 2 * Segment, KeepUnread = false }))
        {
            Fill(queue, 6);
        }

        MachineCrash.Restart(_directory);
        using var again = Open(retention: null);

        Assert.Equal(6 * Segment, again.Recovery!.Position);
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.Equal(2, ReadSegments(consumer));
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

    private static int ReadSegments(MessageConsumer<RawMessage> consumer, int limit = int.MaxValue)
    {
        var count = 0;
        while (count < limit && consumer.TryRead(out var delivery))
        {
            delivery.Commit();
            count++;
        }

        return count;
    }

    private int Segments() => Directory.GetFiles(_directory.Path, "*.segment").Length;

    private void SetOpened(int segment, DateTime time) =>
        QueueFormat.ChangeHeader(_directory, segment, OpenedOffset, BitConverter.GetBytes(time.Ticks));

    private MessageQueue Open(QueueRetention? retention, ProducerMode? producers = null) => MessageQueue.Open(
        _directory.Path,
        new MessageQueueOptions { SegmentBytes = Segment, Retention = retention, Producers = producers });
}
