namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>An exclusive consumer reads on before it commits, and commits several messages at once.</summary>
public abstract class ReadOnTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void Reading_on_closes_the_delivery_before_and_commits_nothing()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 3);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");

        Assert.True(consumer.TryRead(out var first));
        Assert.True(consumer.TryRead(out var second));

        Assert.Equal(1, Payload.Number(second.Message.Bytes));
        Assert.Throws<ObjectDisposedException>(() => first.Message.Bytes.Length);
        Assert.Throws<ObjectDisposedException>(() => first.Commit());
        first.Dispose();
        Assert.Equal(positions[0], consumer.Position);
        second.Dispose();
    }

    [Fact]
    public void Committing_through_a_position_commits_every_earlier_message()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 5);
        using (var consumer = queue.OpenConsumer<RawMessage>("risk"))
        {
            Take(consumer, 4);

            consumer.CommitThrough(positions[2]);

            Assert.Equal(positions[3], consumer.Position);
        }

        using var next = queue.OpenConsumer<RawMessage>("risk");
        Assert.Equal([3, 4], Payload.ReadNumbers(next));
    }

    [Fact]
    public void The_commit_of_a_delivery_commits_what_was_read_before_it()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 4);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Take(consumer, 2);

        Assert.True(consumer.TryRead(out var third));
        third.Commit();

        Assert.Equal([3], Payload.ReadNumbers(consumer));
        Assert.Equal(4, Assert.Single(Assert.Single(queue.GetStatistics().Consumers).Members).Messages);
    }

    [Fact]
    public void The_open_delivery_can_be_committed_through()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 2);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Assert.True(consumer.TryRead(out var delivery));

        consumer.CommitThrough(delivery.Position);

        Assert.Throws<ObjectDisposedException>(() => delivery.Position);
        Assert.Equal(positions[1], consumer.Position);
        Assert.Equal([1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Committing_through_over_many_segments_frees_them_for_producers()
    {
        using var queue = _directory.Open(slots: 3);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        var (published, read) = (0, 0);
        while (read < 40)
        {
            while (published < 40 && published - read < 8 && producer.TryPublish(new byte[10_000], out _))
            {
                published++;
            }

            var last = 0L;
            while (consumer.TryRead(out var delivery))
            {
                read++;
                last = delivery.Position;
            }

            consumer.CommitThrough(last);
        }

        Assert.Equal(40, read);
        Assert.Equal(queue.PublishedPosition, consumer.Position);
    }

    [Fact]
    public void Committing_through_the_last_message_commits_the_padding_that_was_read_after_it()
    {
        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        var position = producer.Publish(new byte[QueueDirectory.LargestPayload]);
        Assert.True(consumer.TryRead(out _));
        producer.Claim(QueueDirectory.LargestPayload).Dispose();
        Assert.False(consumer.TryRead(out _));

        consumer.CommitThrough(position);

        Assert.Equal(2 * QueueDirectory.SmallSegment, consumer.Position);
        for (var i = 0; i < 4; i++)
        {
            Assert.True(producer.TryClaim(QueueDirectory.LargestPayload, out var claim));
            claim.Dispose();
            Assert.False(consumer.TryRead(out _));
        }
    }

    [Fact]
    public void Abandoning_goes_back_to_the_message_at_hand_only()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 3);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Take(consumer, 1);
        Assert.True(consumer.TryRead(out var second));

        second.Abandon();

        Assert.True(consumer.TryRead(out var again));
        Assert.Equal(1, Payload.Number(again.Message.Bytes));
        Assert.Equal(positions[0], consumer.Position);
        again.Dispose();
    }

    [Fact]
    public void A_message_whose_commit_failed_is_the_next_one_again_when_it_is_abandoned()
    {
        const byte NoState = 0xF;
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 3);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Assert.True(consumer.TryRead(out _));
        Assert.True(consumer.TryRead(out var second));
        var file = _directory.SegmentFile(0);
        var state = File.ReadAllBytes(file)[positions[0]];
        QueueDirectory.Damage(file, positions[0], NoState);

        Assert.Throws<QueueCorruptedException>(() => second.Commit());
        Assert.Equal(1, Payload.Number(second.Message.Bytes));
        second.Abandon();

        Assert.True(consumer.TryRead(out var again));
        Assert.Equal(positions[1], again.Position);
        Assert.Throws<QueueCorruptedException>(() => again.Commit());
        QueueDirectory.Damage(file, positions[0], state);
        again.Commit();
        Assert.Equal([2], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_position_that_was_not_read_is_refused_and_nothing_is_committed()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 3);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Take(consumer, 2);

        Assert.Throws<ArgumentOutOfRangeException>(() => consumer.CommitThrough(positions[2]));
        Assert.Throws<ArgumentOutOfRangeException>(() => consumer.CommitThrough(positions[1] + 16));
        Assert.Throws<ArgumentOutOfRangeException>(() => consumer.CommitThrough(positions[0] + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => consumer.CommitThrough(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => consumer.CommitThrough(long.MaxValue));
        Assert.Equal(positions[0], consumer.Position);
    }

    [Fact]
    public void Committing_through_what_is_committed_already_changes_nothing()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 3);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Take(consumer, 2);
        consumer.CommitThrough(positions[1]);

        consumer.CommitThrough(positions[0]);

        Assert.Equal(positions[2], consumer.Position);
    }

    [Fact]
    public void A_message_that_was_read_and_not_committed_comes_again_flagged_when_the_consumer_dies()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 6);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Take(consumer, 3);
        Assert.True(consumer.TryRead(out var open));
        using var crashed = _directory.Crash();

        using var again = crashed.Open();
        using var next = again.OpenConsumer<RawMessage>("risk");

        Assert.Equal([(0, true), (1, true), (2, true), (3, true), (4, false), (5, false)], Flags(next));
        open.Dispose();
    }

    [Fact]
    public void A_message_that_was_read_and_not_committed_comes_again_flagged_when_the_consumer_is_closed()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 6);
        using (var consumer = queue.OpenConsumer<RawMessage>("risk"))
        {
            Take(consumer, 3);
            consumer.CommitThrough(positions[0]);
        }

        using var next = queue.OpenConsumer<RawMessage>("risk");

        Assert.Equal([(1, true), (2, true), (3, true), (4, false), (5, false)], Flags(next));
    }

    [Fact]
    public void A_message_that_was_read_before_a_first_death_stays_flagged_after_a_second_one()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 7);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Take(consumer, 5);
        using var once = _directory.Crash();
        using var second = once.Open();
        using var successor = second.OpenConsumer<RawMessage>("risk");
        Take(successor, 2);
        using var twice = once.Crash();

        using var third = twice.Open();
        using var last = third.OpenConsumer<RawMessage>("risk");

        Assert.Equal([(0, true), (1, true), (2, true), (3, true), (4, true), (5, true), (6, false)], Flags(last));
    }

    [Fact]
    public void A_seek_among_messages_that_were_read_and_not_committed_leaves_them_flagged()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 6);
        using (var consumer = queue.OpenConsumer<RawMessage>("risk"))
        {
            Take(consumer, 4);
        }

        using var next = queue.OpenConsumer<RawMessage>("risk");
        next.Seek(QueueStart.At(positions[1]));

        Assert.Equal([(1, true), (2, true), (3, true), (4, true), (5, false)], Flags(next));
    }

    [Fact]
    public void A_seek_back_flags_no_message_that_was_committed()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 5);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Take(consumer, 3);
        consumer.CommitThrough(positions[1]);

        consumer.Seek(QueueStart.Earliest);

        Assert.Equal([(0, false), (1, false), (2, true), (3, true), (4, false)], Flags(consumer));
        consumer.Seek(QueueStart.Earliest);
        Assert.Equal([(0, false), (1, false), (2, false), (3, false), (4, false)], Flags(consumer));
    }

    [Fact]
    public void A_message_that_was_read_before_a_seek_and_a_death_is_flagged()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 6);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Take(consumer, 3);
        consumer.Seek(QueueStart.At(positions[0]));
        using var crashed = _directory.Crash();

        using var again = crashed.Open();
        using var next = again.OpenConsumer<RawMessage>("risk");

        Assert.Equal([(0, true), (1, true), (2, true), (3, true), (4, false), (5, false)], Flags(next));
    }

    [Fact]
    public void A_loop_that_follows_commits_what_was_read_before_it()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 4);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Take(consumer, 2);

        foreach (var delivery in consumer.ReadAll())
        {
            Assert.Equal(2, Payload.Number(delivery.Message.Bytes));
            delivery.Commit();
            break;
        }

        Assert.Equal([3], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_member_of_a_group_has_one_message_at_a_time()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 2);
        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Assert.True(member.TryRead(out var delivery));

        Assert.Throws<InvalidOperationException>(() => member.TryRead(out _));
        Assert.Throws<InvalidOperationException>(() => member.CommitThrough(delivery.Position));
        Assert.Equal(0, Payload.Number(delivery.Message.Bytes));
        delivery.Commit();
        Assert.Equal([1], Payload.ReadNumbers(member));
    }

    /// <summary>Reads so many messages, leaves them uncommitted, and leaves no delivery open: a later message that is there is read and abandoned.</summary>
    private static void Take(MessageConsumer<RawMessage> consumer, int count)
    {
        for (var i = 0; i < count; i++)
        {
            Assert.True(consumer.TryRead(out _));
        }

        if (consumer.TryRead(out var next))
        {
            next.Abandon();
        }
    }

    private static List<(int Number, bool IsFlagged)> Flags(MessageConsumer<RawMessage> consumer)
    {
        var flags = new List<(int, bool)>();
        while (consumer.TryRead(out var delivery))
        {
            flags.Add((Payload.Number(delivery.Message.Bytes), delivery.IsRedelivery));
            delivery.Commit();
        }

        return flags;
    }

    public sealed class DurableSingle() : ReadOnTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : ReadOnTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : ReadOnTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : ReadOnTests(QueueMode.Bounded, ProducerMode.Multiple);
}
