using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Consumer names: added, deleted, and of two kinds.</summary>
public abstract class NameTests(QueueMode mode) : IDisposable
{
    private protected static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private protected QueueDirectory Queues { get; } = new(mode);

    public void Dispose()
    {
        Queues.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void A_deleted_name_begins_anew()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 3);
        using (var consumer = queue.OpenConsumer<RawMessage>("risk"))
        {
            Assert.Equal([0, 1, 2], Payload.ReadNumbers(consumer));
        }

        Assert.True(queue.DeleteConsumer("risk"));
        Assert.False(queue.DeleteConsumer("risk"));
        using var again = queue.OpenConsumer<RawMessage>("risk");
        Assert.Equal([0, 1, 2], Payload.ReadNumbers(again));
    }

    [Fact]
    public void A_new_name_whose_consumer_cannot_be_opened_is_not_left()
    {
        using var queue = Queues.Open();
        var handle = QueueHandle.Open(Queues.Path);
        using (MembershipLock.Acquire(handle.Control))
        {
            var participants = new ParticipantTable(handle.Segments);
            var membership = participants.JoinAsConsumer("risk", QueueStart.Earliest);
            Assert.Throws<FormatException>(() => participants.Open<string>(membership, static () => throw new FormatException()));
        }

        handle.Release();
        Assert.Empty(queue.GetStatistics().Consumers);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_name_that_must_exist_is_not_added(bool isGroup)
    {
        using var queue = Queues.Open();
        var options = new ConsumerOptions { Shared = isGroup, MustExist = true };

        var refused = Assert.Throws<InvalidOperationException>(() => queue.OpenConsumer<RawMessage>("risk", options));
        Assert.Contains("has no consumer name 'risk'", refused.Message, StringComparison.Ordinal);
        Assert.Empty(queue.GetStatistics().Consumers);

        queue.OpenConsumer<RawMessage>("risk", new ConsumerOptions { Shared = isGroup }).Dispose();
        queue.OpenConsumer<RawMessage>("risk", options).Dispose();
        Assert.Single(queue.GetStatistics().Consumers);
    }

    [Fact]
    public void A_name_whose_consumer_is_alive_is_not_deleted_and_one_whose_consumer_died_is()
    {
        using var queue = Queues.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });

        Assert.Equal(Environment.ProcessId, Assert.Throws<QueueInUseException>(() => queue.DeleteConsumer("risk")).ProcessId);
        Assert.Throws<QueueInUseException>(() => queue.DeleteConsumer("workers"));

        using var crashed = Queues.Crash();
        using var again = crashed.Open();
        Assert.True(again.DeleteConsumer("risk"));
        Assert.True(again.DeleteConsumer("workers"));
        Assert.Empty(again.GetStatistics().Consumers);
    }

    [Fact]
    public void Deleting_a_group_forgets_what_its_dead_members_had_taken()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 3);
        using (var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }))
        {
            Assert.True(member.TryRead(out var delivery));
            delivery.Dispose();
        }

        Assert.True(queue.DeleteConsumer("workers"));
        using var successor = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true, Start = QueueStart.Latest });
        Assert.False(successor.TryRead(out _, TimeSpan.FromMilliseconds(50)));
    }

    [Fact]
    public void A_group_with_a_live_member_is_not_deleted_and_keeps_what_a_dead_member_had_taken()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 3);
        var dead = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Assert.True(dead.TryRead(out var taken));
        taken.Dispose();
        using var alive = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        dead.Dispose();

        Assert.Throws<QueueInUseException>(() => queue.DeleteConsumer("workers"));

        var read = new List<(int, bool)>();
        while (read.Count < 3 && alive.TryRead(out var delivery, Generous))
        {
            read.Add((Payload.Number(delivery.Message.Bytes), delivery.IsRedelivery));
            delivery.Commit();
        }

        Assert.Equal([(0, true), (1, false), (2, false)], read.Order());
    }

    [Fact]
    public void A_deleted_name_makes_room_for_another_one()
    {
        using var queue = Queues.Open();
        for (var i = 0; i < 254; i++)
        {
            queue.OpenConsumer<RawMessage>($"name {i}").Dispose();
        }

        Assert.Throws<InvalidOperationException>(() => queue.OpenConsumer<RawMessage>("one more"));
        Assert.True(queue.DeleteConsumer("name 100"));
        using var consumer = queue.OpenConsumer<RawMessage>("one more");
        Assert.Equal(254, queue.GetStatistics().Consumers.Count);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_name_in_the_place_of_a_deleted_one_flags_none_of_its_messages(bool isShared)
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 3);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Assert.True(consumer.TryRead(out _));
        Assert.True(consumer.TryRead(out _));
        using var crashed = Queues.Crash();
        using var again = crashed.Open();

        // The consumer died with messages that it had read but not committed.
        Assert.True(again.DeleteConsumer("risk"));
        using var successor = again.OpenConsumer<RawMessage>("audit", new() { Shared = isShared });

        var read = new List<(int, bool)>();
        while (successor.TryRead(out var delivery))
        {
            read.Add((Payload.Number(delivery.Message.Bytes), delivery.IsRedelivery));
            delivery.Commit();
        }

        Assert.Equal([(0, false), (1, false), (2, false)], read);
    }

    [Fact]
    public void A_name_of_the_other_kind_is_refused_and_keeps_its_position()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 2);
        queue.OpenConsumer<RawMessage>("risk").Dispose();
        queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }).Dispose();

        Assert.Contains("without Shared", Assert.Throws<InvalidOperationException>(() => queue.OpenConsumer<RawMessage>("risk", new() { Shared = true })).Message, StringComparison.Ordinal);
        Assert.Contains("with Shared", Assert.Throws<InvalidOperationException>(() => queue.OpenConsumer<RawMessage>("workers")).Message, StringComparison.Ordinal);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Assert.Equal([0, 1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Groups_and_exclusive_names_on_one_queue_each_see_everything()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        using var all = queue.OpenConsumer<RawMessage>("all");
        using var first = queue.OpenConsumer<RawMessage>("first", new() { Shared = true });
        using var other = queue.OpenConsumer<RawMessage>("other", new() { Shared = true });
        Payload.PublishNumbers(producer, 0, 4_000);

        foreach (var consumer in new[] { all, first, other })
        {
            Assert.Equal(Enumerable.Range(0, 4_000), Payload.ReadNumbers(consumer));
        }
    }

    [Fact]
    public void Members_that_come_and_go_share_the_messages_without_loss()
    {
        using var queue = Queues.Open();
        const int Count = 20_000;
        var seen = new int[Count];
        var read = 0;
        queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }).Dispose();
        var members = Enumerable.Range(0, 3).Select(_ => new Background(() =>
        {
            while (Volatile.Read(ref read) < Count)
            {
                // Each membership ends with a message that it does not commit.
                using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
                for (var i = 0; i < 200 && member.TryRead(out var delivery, TimeSpan.FromMilliseconds(20)); i++)
                {
                    using (delivery)
                    {
                        if (i < 199)
                        {
                            Interlocked.Increment(ref seen[Payload.Number(delivery.Message.Bytes)]);
                            Interlocked.Increment(ref read);
                            delivery.Commit();
                        }
                    }
                }
            }
        })).ToList();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, Count);

        members.ForEach(member => member.Join());
        Assert.All(seen, times => Assert.Equal(1, times));
    }

    [Fact]
    public void A_new_name_of_a_group_may_begin_at_the_latest_message_or_at_a_position()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 10);
        using var late = queue.OpenConsumer<RawMessage>("late", new() { Shared = true, Start = QueueStart.Latest });
        using var at = queue.OpenConsumer<RawMessage>("at", new() { Shared = true, Start = QueueStart.At(positions[8]) });
        using var known = queue.OpenConsumer<RawMessage>("at", new() { Shared = true, Start = QueueStart.Earliest });

        Assert.False(late.TryRead(out _));
        Assert.Equal([8, 9], Payload.ReadNumbers(known));
    }

    [Fact]
    public void The_lag_of_a_name_falls_as_it_reads()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Payload.PublishNumbers(producer, 0, 10);

        for (var left = 10; left > 0; left--)
        {
            Assert.Equal(left * 32, Assert.Single(queue.GetStatistics().Consumers).LagBytes);
            Assert.True(consumer.TryRead(out var delivery));
            delivery.Commit();
        }

        Assert.Equal(0, Assert.Single(queue.GetStatistics().Consumers).LagBytes);
    }

    [Fact]
    public void As_many_participants_as_there_are_slots_come_and_go()
    {
        using var queue = Queues.Open();
        for (var round = 0; round < 3; round++)
        {
            var members = Enumerable.Range(0, 255).Select(_ => queue.OpenConsumer<RawMessage>("workers", new() { Shared = true })).ToList();
            Assert.Throws<InvalidOperationException>(() => queue.OpenProducer());
            Assert.Equal(255, Assert.Single(queue.GetStatistics().Consumers).Members.Count(member => member.IsAlive));
            members.ForEach(member => member.Dispose());
        }
    }

    [Fact]
    public void A_consumer_that_finds_no_slot_leaves_no_name()
    {
        using var queue = Queues.Open();
        var producers = Enumerable.Range(0, 255).Select(_ => queue.OpenProducer()).ToList();

        Assert.Throws<InvalidOperationException>(() => queue.OpenConsumer<RawMessage>("risk"));
        Assert.Throws<InvalidOperationException>(() => queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }));

        Assert.Empty(queue.GetStatistics().Consumers);
        producers.ForEach(producer => producer.Dispose());
        using var member = queue.OpenConsumer<RawMessage>("risk", new() { Shared = true });
        Assert.Equal("risk", Assert.Single(queue.GetStatistics().Consumers).Name);
    }

    public sealed class Durable() : NameTests(QueueMode.Durable);

    public sealed class Bounded() : NameTests(QueueMode.Bounded)
    {
        [Fact]
        public void Deleting_the_slowest_name_frees_the_producers()
        {
            using var queue = Queues.Open(slots: 2);
            using var producer = queue.OpenProducer();
            queue.OpenConsumer<RawMessage>("abandoned").Dispose();
            using var consumer = queue.OpenConsumer<RawMessage>("all");
            while (producer.TryPublish(Payload.Of(0), out _))
            {
            }

            Payload.ReadNumbers(consumer);
            using var started = new ManualResetEventSlim();
            var publishing = new Background(() =>
            {
                started.Set();
                Assert.True(producer.TryPublish(Payload.Of(7), out _, Generous));
            });
            started.Wait();
            Assert.True(publishing.IsRunning);

            Assert.True(queue.DeleteConsumer("abandoned"));

            publishing.Join();
            Assert.Equal([7], Payload.ReadNumbers(consumer));
        }
    }
}
