namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>
/// The seats of members that died, or were closed, with a message they had not committed. To the others a closed member is like a dead one; tests/CrossProcess kills real ones.
/// </summary>
public abstract class GroupSeatTests(QueueMode mode) : IDisposable
{
    private const int Seats = 255;

    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private protected QueueDirectory Queues { get; } = new(mode);

    public void Dispose()
    {
        Queues.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void A_member_that_opens_reads_first_what_a_dead_one_had_taken()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 3);
        LeaveMessage(queue);

        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });

        Assert.Equal((0, true), ReadOne(member));
        Assert.Equal((1, false), ReadOne(member));
        Assert.Equal((2, false), ReadOne(member));
        Assert.False(member.TryRead(out _));
    }

    [Fact]
    public void A_message_that_was_taken_over_and_not_read_is_left_to_the_next_member()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 1);
        LeaveMessage(queue);
        queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }).Dispose();
        using (var reader = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }))
        {
            Assert.True(reader.TryRead(out var delivery));
            delivery.Dispose();
            Assert.True(reader.TryRead(out delivery));
            Assert.True(delivery.IsRedelivery);
            delivery.Dispose();
        }

        using var last = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Assert.Equal((0, true), ReadOne(last));
        Assert.False(last.TryRead(out _));
    }

    [Fact]
    public async Task A_loop_and_an_asynchronous_wait_give_what_was_taken_over()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 2);
        LeaveMessage(queue);
        using (var looping = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }))
        {
            foreach (var delivery in looping.ReadAll())
            {
                Assert.Equal(0, Payload.Number(delivery.Message.Bytes));
                break;
            }
        }

        using var waiting = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Assert.True(await waiting.WaitToReadAsync(Generous));
        Assert.Equal((0, true), ReadOne(waiting));
    }

    [Fact]
    public void Members_that_come_and_die_one_after_the_other_take_the_same_seat()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 1_000);
        for (var i = 0; i < 2 * Seats; i++)
        {
            LeaveMessage(queue);
        }

        // A process that another test starts holds the locks of this one until it runs its own program: a dead member may look alive for that long.
        Assert.InRange(Assert.Single(queue.GetStatistics().Consumers).Members.Count, 1, 3);
        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Assert.Equal(Enumerable.Range(0, 1_000), Payload.ReadNumbers(member));
    }

    [Fact]
    public void A_member_can_open_when_dead_ones_of_its_group_have_all_seats_and_reads_what_they_had()
    {
        using var queue = Queues.Open();
        FillSeats(queue);

        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        var seen = new List<(int Number, bool IsRedelivery)>();
        while (seen.Count < Seats && member.TryRead(out var delivery, Generous))
        {
            seen.Add((Payload.Number(delivery.Message.Bytes), delivery.IsRedelivery));
            delivery.Commit();
        }

        Assert.Equal(Enumerable.Range(0, Seats).Select(number => (number, true)), seen.Order());
        Assert.False(member.TryRead(out _));
        queue.OpenProducer().Dispose();
    }

    [Fact]
    public void Others_are_told_which_group_has_the_seats_and_can_open_when_a_member_has_read_one_message()
    {
        using var queue = Queues.Open();
        FillSeats(queue);

        foreach (var open in new Action[] { () => queue.OpenProducer(), () => queue.OpenConsumer<RawMessage>("audit"), () => queue.OpenConsumer<RawMessage>("others", new() { Shared = true }) })
        {
            Assert.Contains("'workers'", Assert.Throws<InvalidOperationException>(open).Message, StringComparison.Ordinal);
        }

        using (var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }))
        {
            Assert.True(ReadOne(member).IsRedelivery);
        }

        queue.OpenProducer().Dispose();
    }

    [Fact]
    public void Deleting_a_group_frees_the_seats_of_its_dead_members()
    {
        using var queue = Queues.Open();
        FillSeats(queue);

        Assert.True(queue.DeleteConsumer("workers"));

        using var producer = queue.OpenProducer();
        using var audit = queue.OpenConsumer<RawMessage>("audit", new() { Start = QueueStart.Latest });
        Payload.PublishNumbers(producer, 7, 1);
        Assert.Equal([7], Payload.ReadNumbers(audit));
    }

    [Fact]
    public void A_seat_is_taken_over_within_its_group_only()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 2);
        LeaveMessage(queue);

        using var other = queue.OpenConsumer<RawMessage>("others", new() { Shared = true });

        Assert.Equal((0, false), ReadOne(other));
        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Assert.Equal((0, true), ReadOne(member));
    }

    [Fact]
    public void Seek_does_not_forget_what_was_taken_over()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 3);
        LeaveMessage(queue);
        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });

        member.Seek(QueueStart.Latest);

        Assert.Equal((0, true), ReadOne(member));
        Assert.False(member.TryRead(out _));
    }

    [Fact]
    public void A_damaged_message_keeps_no_member_from_opening_and_is_reported_by_reads()
    {
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 2);
        LeaveMessage(queue);
        var segment = Queues.SegmentFile(0);
        QueueDirectory.Damage(segment, QueueDirectory.FirstPayloadBytes, 0xFF, 0xFF, 0xFF, 0xFF);

        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });

        Assert.Equal((1, false), ReadOne(member));
        Assert.Equal(QueueDirectory.FirstRecord, Assert.Throws<QueueCorruptedException>(() => member.TryRead(out _, Generous)).Position);
        QueueDirectory.Damage(segment, QueueDirectory.FirstPayloadBytes, 4, 0, 0, 0);
        Assert.Equal((0, true), ReadOne(member));
    }

    [Fact]
    public void A_living_member_and_one_that_opens_at_the_same_time_do_not_both_get_a_message()
    {
        const int Rounds = 200;
        using var queue = Queues.Open();
        using var producer = queue.OpenProducer();
        using var living = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        for (var round = 0; round < Rounds; round++)
        {
            Payload.PublishNumbers(producer, round, 1);
            LeaveMessage(queue);
            var adopted = new List<(int, bool)>();
            var adopting = new Background(() => ReadUntilEnd(living, adopted));
            var inherited = new List<(int, bool)>();
            using (var opener = OpenAfter(queue, TimeSpan.FromMicroseconds(round % 20 * 200)))
            {
                if (opener.TryRead(out var delivery))
                {
                    inherited.Add((Payload.Number(delivery.Message.Bytes), delivery.IsRedelivery));
                    delivery.Commit();
                }
            }

            Payload.PublishNumbers(producer, -1, 1);
            adopting.Join();
            Assert.Equal([(round, true)], adopted.Concat(inherited));
        }
    }

    private static void ReadUntilEnd(MessageConsumer<RawMessage> consumer, List<(int Number, bool IsRedelivery)> read)
    {
        while (consumer.TryRead(out var delivery, Generous))
        {
            var number = Payload.Number(delivery.Message.Bytes);
            var isRedelivery = delivery.IsRedelivery;
            delivery.Commit();
            if (number < 0)
            {
                return;
            }

            read.Add((number, isRedelivery));
        }
    }

    // Spins, so that the opening falls into each phase of the adoption.
    private static MessageConsumer<RawMessage> OpenAfter(MessageQueue queue, TimeSpan time)
    {
        var start = System.Diagnostics.Stopwatch.GetTimestamp();
        SpinWait.SpinUntil(() => System.Diagnostics.Stopwatch.GetElapsedTime(start) >= time);
        return queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
    }

    private protected static void LeaveMessage(MessageQueue queue)
    {
        using var leaver = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Assert.True(leaver.TryRead(out var delivery));
        delivery.Dispose();
    }

    /// <summary>Leaves a message in each seat.</summary>
    private static void FillSeats(MessageQueue queue)
    {
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, Seats);
        }

        var members = Enumerable.Range(0, Seats).Select(_ => queue.OpenConsumer<RawMessage>("workers", new() { Shared = true })).ToList();
        foreach (var member in members)
        {
            Assert.True(member.TryRead(out var delivery));
            delivery.Dispose();
        }

        members.ForEach(member => member.Dispose());
    }

    private static (int Number, bool IsRedelivery) ReadOne(MessageConsumer<RawMessage> consumer)
    {
        Assert.True(consumer.TryRead(out var delivery, Generous));
        using (delivery)
        {
            var read = (Payload.Number(delivery.Message.Bytes), delivery.IsRedelivery);
            delivery.Commit();
            return read;
        }
    }

    public sealed class Durable() : GroupSeatTests(QueueMode.Durable);

    public sealed class Bounded() : GroupSeatTests(QueueMode.Bounded)
    {
        [Fact]
        public void A_message_that_is_taken_over_is_kept_until_it_is_committed()
        {
            using var queue = Queues.Open(slots: 2);
            using var producer = queue.OpenProducer();
            Payload.PublishNumbers(producer, 0, 1);
            LeaveMessage(queue);
            using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
            using var other = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
            Assert.True(member.TryRead(out var delivery));

            var published = 1;
            while (producer.TryPublish(Payload.Of(published), out _))
            {
                published++;
                Assert.Single(Payload.ReadNumbers(other));
            }

            Assert.Equal(0, Payload.Number(delivery.Message.Bytes));
            delivery.Commit();
            Assert.True(producer.TryPublish(Payload.Of(published), out _));
        }
    }
}
