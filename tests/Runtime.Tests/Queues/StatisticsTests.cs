using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class StatisticsTests : IDisposable
{
    private readonly QueueDirectory _directory = new();
    private readonly QueueDirectory _ring = new(QueueMode.Bounded, ProducerMode.Multiple);

    public void Dispose()
    {
        _directory.Dispose();
        _ring.Dispose();
    }

    [Fact]
    public void A_new_queue_has_its_geometry_and_nothing_else()
    {
        using var queue = _ring.Open(slots: 3);

        var statistics = queue.GetStatistics();

        Assert.Equal(_ring.Path, statistics.Path);
        Assert.Equal(QueueMode.Bounded, statistics.Mode);
        Assert.Equal(ProducerMode.Multiple, statistics.ProducerMode);
        Assert.Equal(QueueDirectory.SmallSegment, statistics.SegmentBytes);
        Assert.Equal(3, statistics.Slots);
        Assert.Equal(0, statistics.Bytes + statistics.UnreadBytes + statistics.PublishedPosition + statistics.FirstPosition);
        Assert.Equal(0, statistics.SpaceWaits);
        Assert.Empty(statistics.Producers);
        Assert.Empty(statistics.Consumers);
    }

    [Fact]
    public void A_producer_is_shown_with_what_it_published()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var last = Payload.PublishNumbers(producer, 0, 3)[^1];

        var shown = Assert.Single(queue.GetStatistics().Producers);

        Assert.Equal(1, shown.Slot);
        Assert.Equal(Environment.ProcessId, shown.ProcessId);
        Assert.InRange(shown.ProcessStart, DateTimeOffset.UtcNow.AddDays(-30), DateTimeOffset.UtcNow);
        Assert.True(shown.IsAlive);
        Assert.Equal(3, shown.Messages);
        Assert.Equal(12, shown.Bytes);
        Assert.Equal(last, shown.Position);
    }

    [Fact]
    public void An_exclusive_name_is_shown_with_its_lag_and_its_consumer()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Payload.PublishNumbers(producer, 0, 5);
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Commit();

        var statistics = queue.GetStatistics();

        var name = Assert.Single(statistics.Consumers);
        Assert.Equal("risk", name.Name);
        Assert.False(name.IsGroup);
        Assert.Equal(QueueDirectory.FirstRecord + QueueDirectory.NumberRecord, name.Position);
        Assert.Equal(4 * QueueDirectory.NumberRecord, name.LagBytes);
        Assert.Equal(QueueDirectory.FirstRecord + (5 * QueueDirectory.NumberRecord), statistics.Bytes);
        Assert.Equal(4 * QueueDirectory.NumberRecord, statistics.UnreadBytes);
        var member = Assert.Single(name.Members);
        Assert.True(member.IsAlive);
        Assert.Equal(1, member.Messages);
        Assert.Equal(4, member.Bytes);
        Assert.Null(member.Position);
    }

    [Fact]
    public void A_name_stays_with_its_position_when_its_consumer_is_closed()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 2);
        queue.OpenConsumer<RawMessage>("risk").Dispose();

        var name = Assert.Single(queue.GetStatistics().Consumers);

        Assert.Equal(2 * QueueDirectory.NumberRecord, name.LagBytes);
        Assert.Empty(name.Members);
    }

    [Fact]
    public void The_members_of_a_group_are_shown_with_what_they_have_in_flight()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var first = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        using var second = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        var positions = Payload.PublishNumbers(producer, 0, 3);
        Assert.True(first.TryRead(out var done));
        done.Commit();
        Assert.True(second.TryRead(out var open));

        var statistics = queue.GetStatistics();

        var name = Assert.Single(statistics.Consumers);
        Assert.True(name.IsGroup);
        Assert.Equal([null, positions[1]], name.Members.Select(member => member.Position));
        Assert.Equal(QueueDirectory.NumberRecord, name.LagBytes);
        Assert.Equal(2 * QueueDirectory.NumberRecord, statistics.UnreadBytes);
        open.Commit();
        Assert.Equal(QueueDirectory.NumberRecord, queue.GetStatistics().UnreadBytes);
    }

    [Fact]
    public void A_dead_member_is_shown_as_dead_until_its_message_is_handled()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        var position = Assert.Single(Payload.PublishNumbers(producer, 0, 1));
        Assert.True(member.TryRead(out var delivery));
        using var crashed = _directory.Crash();
        delivery.Commit();

        using var again = crashed.Open();
        var shown = Assert.Single(Assert.Single(again.GetStatistics().Consumers).Members);
        Assert.False(shown.IsAlive);
        Assert.Equal(position, shown.Position);
        Assert.False(Assert.Single(again.GetStatistics().Producers).IsAlive);
    }

    [Theory]
    [InlineData(QueueMode.Durable, ProducerMode.Single)]
    [InlineData(QueueMode.Durable, ProducerMode.Multiple)]
    [InlineData(QueueMode.Bounded, ProducerMode.Single)]
    [InlineData(QueueMode.Bounded, ProducerMode.Multiple)]
    public void The_published_position_is_after_the_last_message_at_every_step(QueueMode mode, ProducerMode producers)
    {
        using var directory = new QueueDirectory(mode, producers);
        using var queue = directory.Open(slots: 2);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using (var producer = queue.OpenProducer())
        {
            for (var i = 0; i < 700; i++)
            {
                var position = producer.Publish(Payload.Of(i, 1_000));
                Assert.Equal(position + 1_024, queue.GetStatistics().PublishedPosition);
                Assert.True(consumer.TryRead(out var delivery));
                delivery.Commit();
            }
        }

        var closed = queue.GetStatistics();
        Assert.Equal(0, closed.UnreadBytes);
        Assert.Equal(closed.PublishedPosition, Assert.Single(closed.Consumers).Position);
    }

    // The end of the last message is the beginning of a segment that does not exist yet.
    [Theory]
    [InlineData(QueueMode.Durable, ProducerMode.Single)]
    [InlineData(QueueMode.Durable, ProducerMode.Multiple)]
    [InlineData(QueueMode.Bounded, ProducerMode.Single)]
    [InlineData(QueueMode.Bounded, ProducerMode.Multiple)]
    public void A_queue_that_ends_with_its_segment_is_described_and_continued(QueueMode mode, ProducerMode producers)
    {
        using var directory = new QueueDirectory(mode, producers);
        using (var queue = directory.Open())
        using (var producer = queue.OpenProducer())
        using (var consumer = queue.OpenConsumer<RawMessage>("all"))
        {
            producer.Publish(new byte[QueueDirectory.LargestPayload]);
            Assert.True(consumer.TryRead(out var delivery));
            delivery.Commit();
            AssertIsRead(queue);
        }

        using var again = directory.Open();
        AssertIsRead(again);
        using var name = again.OpenConsumer<RawMessage>("all");
        using var late = again.OpenConsumer<RawMessage>("late", new() { Start = QueueStart.Latest });
        using var at = again.OpenConsumer<RawMessage>("at", new() { Shared = true, Start = QueueStart.At(QueueDirectory.SmallSegment) });
        using var reader = again.OpenReader<RawMessage>(QueueStart.At(QueueDirectory.SmallSegment));
        using var next = again.OpenProducer();
        AssertIsRead(again);
        var position = next.Publish(Payload.Of(7));

        Assert.Equal(QueueDirectory.SmallSegment + QueueDirectory.FirstRecord, position);
        Assert.All(new[] { name, late, at }, static one => Assert.Equal([7], Payload.ReadNumbers(one)));
        Assert.True(reader.TryRead(out var looked));
        Assert.Equal(position, looked.Position);
    }

    // Padding is neither a message nor bytes of one.
    [Fact]
    public void Messages_that_are_committed_together_are_counted_without_the_padding_between_them()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Payload.PublishNumbers(producer, 0, 2);
        producer.Claim(100).Dispose();
        var last = producer.Publish(Payload.Of(2));
        while (consumer.TryRead(out _))
        {
        }

        consumer.CommitThrough(last);

        var member = Assert.Single(Assert.Single(queue.GetStatistics().Consumers).Members);
        Assert.Equal((3, 3 * sizeof(int)), (member.Messages, member.Bytes));
    }

    [Fact]
    public void A_message_after_one_that_is_still_written_is_not_published_yet()
    {
        using var queue = _directory.Open();
        using var first = queue.OpenProducer();
        using var second = queue.OpenProducer();
        var claim = first.Claim(100);
        Payload.PublishNumbers(second, 0, 5_000);

        Assert.Equal(QueueDirectory.FirstRecord, queue.GetStatistics().PublishedPosition);

        var end = second.Publish(Payload.Of(1)) + QueueDirectory.NumberRecord;
        claim.Commit(100);
        Assert.Equal(end, queue.GetStatistics().PublishedPosition);
    }

    [Fact]
    public void Waits_for_space_and_wakes_are_counted()
    {
        using var queue = _ring.Open(slots: 2);
        using var producer = queue.OpenProducer();
        while (producer.TryPublish(Payload.Of(1), out _))
        {
        }

        Assert.Equal(0, queue.GetStatistics().SpaceWaits);
        Assert.False(producer.TryPublish(Payload.Of(1), out _, TimeSpan.FromMilliseconds(5)));
        Assert.Equal(1, queue.GetStatistics().SpaceWaits);
    }

    [Fact]
    public void Statistics_under_load_are_consistent()
    {
        using var queue = _ring.Open(slots: 3);
        using var stop = new CancellationTokenSource();
        var threads = Enumerable.Range(0, 2).Select(i => new Background(() =>
        {
            using var producer = queue.OpenProducer();
            while (!stop.IsCancellationRequested)
            {
                producer.TryPublish(Payload.Of(i, 200), out _, TimeSpan.FromMilliseconds(1));
            }
        })).Concat(Enumerable.Range(0, 2).Select(i => new Background(() =>
        {
            using var consumer = i == 0 ? queue.OpenConsumer<RawMessage>("all") : queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
            while (!stop.IsCancellationRequested)
            {
                if (consumer.TryRead(out var delivery, TimeSpan.FromMilliseconds(1)))
                {
                    delivery.Commit();
                }
            }
        }))).ToList();
        try
        {
            var last = 0L;
            for (var round = 0; round < 2_000 || (last == 0 && threads.TrueForAll(static thread => thread.IsRunning)); round++)
            {
                var statistics = queue.GetStatistics();
                Assert.InRange(statistics.PublishedPosition, last, long.MaxValue);
                Assert.InRange(statistics.Bytes, 0, 3 * QueueDirectory.SmallSegment);
                Assert.InRange(statistics.UnreadBytes, 0, statistics.Bytes);
                Assert.All(statistics.Consumers, name => Assert.InRange(name.Position, statistics.FirstPosition, statistics.PublishedPosition));
                last = statistics.PublishedPosition;
            }
        }
        finally
        {
            stop.Cancel();
            threads.ForEach(thread => thread.Join());
        }
    }

    [Fact]
    public void Statistics_do_not_wait_for_a_registrar_that_is_stopped()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var membershipLock = FileLease.TryAcquire(Path.Combine(_directory.Path, "leases", "0"), FilePermissions.OfUser);

        Assert.True(Assert.Single(queue.GetStatistics().Producers).IsAlive);
    }

    // The tail hint; the role of participant 1, its cursor and its last claim; the kind of the first name, its length and its position.
    [Theory]
    [InlineData(256, 8)]
    [InlineData(256 + 7, 0x7F)]
    [InlineData(4096 + 384, 9)]
    [InlineData(4096 + 384 + 128, 8)]
    [InlineData(4096 + (2 * 384) + 21, 0x7F)]
    [InlineData(4096 + (256 * 384), 7)]
    [InlineData(4096 + (256 * 384) + 9, 1)]
    [InlineData(4096 + (256 * 384) + 135, 0x80)]
    public void A_damaged_table_is_reported(int offset, byte value)
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        var end = producer.Publish("x"u8) + QueueDirectory.NumberRecord;
        var control = File.ReadAllBytes(_directory.ControlFile);
        QueueDirectory.Damage(_directory.ControlFile, offset, value);

        Assert.Throws<QueueCorruptedException>(queue.GetStatistics);

        QueueDirectory.Damage(_directory.ControlFile, 0, control);
        Assert.Equal(end, queue.GetStatistics().PublishedPosition);
    }

    [Fact]
    public void A_disposed_queue_has_no_statistics()
    {
        var queue = _directory.Open();
        queue.Dispose();

        Assert.Throws<ObjectDisposedException>(queue.GetStatistics);
    }

    private static void AssertIsRead(MessageQueue queue)
    {
        var statistics = queue.GetStatistics();
        Assert.Equal((QueueDirectory.SmallSegment, QueueDirectory.SmallSegment, 0), (queue.PublishedPosition, statistics.PublishedPosition, statistics.UnreadBytes));
        Assert.All(statistics.Consumers, static name => Assert.Equal((QueueDirectory.SmallSegment, 0, (TimeSpan?)null), (name.Position, name.LagBytes, name.OldestUnreadAge)));
        Assert.NotEmpty(statistics.Consumers);
    }
}
