namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A loop of an exclusive consumer commits several messages by one store.</summary>
public abstract class CommitTogetherTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void The_cursor_moves_once_for_so_many_messages_and_at_the_end()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 10);
        using var consumer = Open(queue, 4);

        foreach (var delivery in consumer.ReadAll())
        {
            var number = Payload.Number(delivery.Message.Bytes);
            Assert.Equal(positions[number / 4 * 4], consumer.Position);
            Assert.False(delivery.IsRedelivery);
            if (number == 9)
            {
                break;
            }
        }

        Assert.Equal(positions[9], consumer.Position);
        Assert.Equal(9, Assert.Single(Assert.Single(queue.GetStatistics().Consumers).Members).Messages);
        Assert.Equal([(9, false)], Flags(consumer));
    }

    [Fact]
    public async Task A_loop_that_waits_has_committed_everything()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 7);
        using var consumer = Open(queue, 100);
        using var stop = new CancellationTokenSource();
        var numbers = new List<int>();
        var reading = Task.Run(async () =>
        {
            await foreach (var delivery in consumer.ReadAllAsync(stop.Token))
            {
                numbers.Add(Payload.Number(delivery.Message.Bytes));
            }
        });

        var end = queue.PublishedPosition;
        Assert.True(SpinWait.SpinUntil(() => consumer.Position == end, TimeSpan.FromSeconds(30)));
        Payload.PublishNumbers(producer, 7, 3);
        end = queue.PublishedPosition;
        Assert.True(SpinWait.SpinUntil(() => consumer.Position == end, TimeSpan.FromSeconds(30)));
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading);
        Assert.Equal(Enumerable.Range(0, 10), numbers);
    }

    [Fact]
    public void What_a_dead_consumer_had_not_committed_comes_again_flagged()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 12);
        using var consumer = Open(queue, 4);
        foreach (var delivery in consumer.ReadAll())
        {
            if (Payload.Number(delivery.Message.Bytes) != 6)
            {
                continue;
            }

            using var crashed = _directory.Crash();
            using var again = crashed.Open();
            using var next = Open(again, 4);

            // The rest of the four was announced, and may have been delivered.
            Assert.Equal([(4, true), (5, true), (6, true), (7, true), (8, false), (9, false), (10, false), (11, false)], Flags(next));
            break;
        }
    }

    // The next consumer announces no messages of its own before those of the dead one are committed.
    [Fact]
    public void What_a_dead_consumer_had_announced_stays_flagged_when_the_next_one_dies_too()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 10);
        using var first = Open(queue, 8);
        foreach (var delivery in first.ReadAll())
        {
            if (Payload.Number(delivery.Message.Bytes) != 6)
            {
                continue;
            }

            using var crashed = _directory.Crash();
            using var again = crashed.Open();
            using var second = Open(again, 3);
            foreach (var repeated in second.ReadAll())
            {
                Assert.True(repeated.IsRedelivery);
                if (Payload.Number(repeated.Message.Bytes) == 1)
                {
                    break;
                }
            }

            using var twice = crashed.Crash();
            using var last = twice.Open();
            using var third = Open(last, 3);
            Assert.Equal([(1, true), (2, true), (3, true), (4, true), (5, true), (6, true), (7, true), (8, false), (9, false)], Flags(third));
            break;
        }
    }

    [Fact]
    public void A_consumer_that_is_closed_leaves_nothing_flagged()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 8);
        using (var consumer = Open(queue, 100))
        {
            Assert.Throws<FormatException>(() =>
            {
                foreach (var delivery in consumer.ReadAll())
                {
                    if (Payload.Number(delivery.Message.Bytes) == 5)
                    {
                        throw new FormatException();
                    }
                }
            });
        }

        using var next = Open(queue, 100);
        Assert.Equal([(5, false), (6, false), (7, false)], Flags(next));
    }

    [Fact]
    public void A_commit_within_the_loop_is_stored_at_once_and_an_abandoned_message_comes_next()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 10);
        using (var consumer = Open(queue, 100))
        {
            var abandoned = 0;
            foreach (var delivery in consumer.ReadAll())
            {
                var number = Payload.Number(delivery.Message.Bytes);
                switch (number)
                {
                    case 3:
                        delivery.Commit();
                        Assert.Equal(positions[4], consumer.Position);
                        break;
                    case 5 when abandoned++ < 2:
                        delivery.Abandon();
                        Assert.Equal(positions[5], consumer.Position);
                        break;
                    case 7:
                        consumer.CommitThrough(positions[6]);
                        Assert.Equal(positions[7], consumer.Position);
                        consumer.CommitThrough(positions[7]);
                        Assert.Equal(positions[8], consumer.Position);
                        break;
                }

                if (number == 8)
                {
                    break;
                }
            }

            Assert.Equal(3, abandoned);
            Assert.Equal(8, Assert.Single(Assert.Single(queue.GetStatistics().Consumers).Members).Messages);
        }

        using var next = Open(queue, 100);
        Assert.Equal([(8, false), (9, false)], Flags(next));
    }

    [Fact]
    public void Single_reads_commit_as_ever_and_a_loop_commits_what_was_read_before_it()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 8);
        using var consumer = Open(queue, 100);
        Assert.True(consumer.TryRead(out var first));
        first.Commit();
        Assert.Equal(positions[1], consumer.Position);
        Assert.True(consumer.TryRead(out _));
        Assert.True(consumer.TryRead(out var third));
        third.Abandon();
        Assert.Equal(positions[1], consumer.Position);

        foreach (var delivery in consumer.ReadAll())
        {
            if (Payload.Number(delivery.Message.Bytes) == 6)
            {
                break;
            }
        }

        Assert.Equal(positions[6], consumer.Position);
        Assert.Equal(6, Assert.Single(Assert.Single(queue.GetStatistics().Consumers).Members).Messages);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(32)]
    [InlineData(100_000)]
    public async Task Producers_get_their_room_and_each_message_comes_once_over_many_segments(int messagesPerCommit)
    {
        const int Messages = 30_000;
        using var queue = _directory.Open(slots: 2);
        using var consumer = Open(queue, messagesPerCommit);
        using var producer = queue.OpenProducer();
        var publishing = Task.Run(() =>
        {
            for (var number = 0; number < Messages;)
            {
                if (number % 3 == 0)
                {
                    producer.Publish(Payload.Of(number++));
                    continue;
                }

                using var batch = producer.ClaimBatch(1_000);
                while (number < Messages && batch.TryAdd(Payload.Of(number)))
                {
                    number++;
                }

                batch.Publish();
            }
        });
        var next = 0;
        foreach (var delivery in consumer.ReadAll())
        {
            Assert.Equal(next, Payload.Number(delivery.Message.Bytes));
            if (++next == Messages)
            {
                delivery.Commit();
                break;
            }
        }

        await publishing;
        Assert.Equal(Messages, Assert.Single(Assert.Single(queue.GetStatistics().Consumers).Members).Messages);
        Assert.False(consumer.TryRead(out _));
    }

    [Fact]
    public void A_group_and_a_number_less_than_one_are_refused()
    {
        using var queue = _directory.Open();

        Assert.Throws<ArgumentException>(() => queue.OpenConsumer<RawMessage>("group", new() { Shared = true, MessagesPerCommit = 2 }));
        Assert.Throws<ArgumentOutOfRangeException>(() => new ConsumerOptions { MessagesPerCommit = 0 });
        Assert.Equal(1, new ConsumerOptions().MessagesPerCommit);
        Assert.Empty(queue.GetStatistics().Consumers);
    }

    private static MessageConsumer<RawMessage> Open(MessageQueue queue, int messagesPerCommit) =>
        queue.OpenConsumer<RawMessage>("all", new() { MessagesPerCommit = messagesPerCommit });

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

    public sealed class DurableSingle() : CommitTogetherTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : CommitTogetherTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : CommitTogetherTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : CommitTogetherTests(QueueMode.Bounded, ProducerMode.Multiple);
}
