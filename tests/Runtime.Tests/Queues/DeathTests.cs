using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>
/// Who finds out that a participant died, and what that holds up. In a copy of a queue's files nobody holds a lease: all its participants are dead.
/// </summary>
public sealed class DeathTests : IDisposable
{
    private const int Seats = ParticipantSlot.Count - 1;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);
    private readonly List<IDisposable> _owned = [];

    public void Dispose()
    {
        _owned.Reverse();
        _owned.ForEach(owned => owned.Dispose());
    }

    [Theory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_dead_producers_record_is_skipped_while_another_process_holds_the_membership_lock(QueueMode mode)
    {
        var crashed = CrashWithin(mode, ProducerMode.Multiple);
        var consumer = Own(Own(crashed.Open()).OpenConsumer<RawMessage>("all"));
        Own(FileLease.TryAcquire(Lease(crashed, ParticipantSlot.MembershipLock), FilePermissions.OfUser)!);

        Assert.Equal([1, 2], [Read(consumer), Read(consumer)]);
    }

    [Theory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_dead_members_message_is_delivered_while_another_process_holds_the_membership_lock(QueueMode mode)
    {
        var directory = Own(new QueueDirectory(mode));
        var queue = Own(directory.Open());
        var living = Own(queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }));
        using (var leaving = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }))
        using (var producer = queue.OpenProducer())
        {
            producer.Publish(Payload.Of(1));
            Assert.True(leaving.TryRead(out var left));
            left.Dispose();
        }

        Own(FileLease.TryAcquire(Lease(directory, ParticipantSlot.MembershipLock), FilePermissions.OfUser)!);

        Assert.True(living.TryRead(out var delivery, Generous));
        Assert.True(delivery.IsRedelivery);
        delivery.Commit();
    }

    [Fact]
    public void A_dead_producers_record_is_skipped_while_another_process_has_found_that_out_and_is_stopped()
    {
        var crashed = CrashWithin(QueueMode.Bounded, ProducerMode.Multiple);
        var consumer = Own(Own(crashed.Open()).OpenConsumer<RawMessage>("all"));
        LookAtAll(crashed);

        Assert.Equal([1, 2], [Read(consumer), Read(consumer)]);
    }

    [Fact]
    public void A_dead_producer_has_a_successor_while_a_process_looks_whether_it_is_dead()
    {
        var crashed = CrashWithin(QueueMode.Durable, ProducerMode.Single);
        var queue = Own(crashed.OpenSingle());
        LookAtAll(crashed);

        Own(queue.OpenProducer()).Publish(Payload.Of(3));

        var consumer = Own(queue.OpenConsumer<RawMessage>("all"));
        Assert.Equal([1, 3], [Read(consumer), Read(consumer)]);
    }

    [Fact]
    public void A_dead_consumers_name_can_be_opened_while_a_process_looks_whether_it_is_dead()
    {
        var crashed = CrashWithConsumer();
        var queue = Own(crashed.Open());
        LookAtAll(crashed);

        Own(queue.OpenConsumer<RawMessage>("all"));
        Assert.Throws<QueueInUseException>(() => queue.OpenConsumer<RawMessage>("all"));
    }

    [Fact]
    public void A_dead_consumers_name_can_be_deleted_while_a_process_looks_whether_it_is_dead()
    {
        var crashed = CrashWithConsumer();
        var queue = Own(crashed.Open());
        LookAtAll(crashed);

        Assert.True(queue.DeleteConsumer("all"));
    }

    [Fact]
    public void A_dead_participant_is_not_shown_as_alive_while_a_process_looks_at_it()
    {
        var crashed = CrashWithConsumer();
        var queue = Own(crashed.Open());
        LookAtAll(crashed);

        Assert.False(Assert.Single(Assert.Single(queue.GetStatistics().Consumers).Members).IsAlive);
    }

    // Who looks at a slot may still act on a word that names it: a new owner's word must not be there.
    [Fact]
    public void A_slot_gets_no_new_owner_while_a_process_looks_at_it()
    {
        var directory = Own(new QueueDirectory());
        var queue = Own(directory.Open());
        queue.OpenProducer().Dispose();
        using (FileLease.TryAcquireShare(Lease(directory, 1), FilePermissions.OfUser))
        {
            Own(queue.OpenProducer());
        }

        Assert.Equal(2, Assert.Single(queue.GetStatistics().Producers).Slot);
    }

    [Fact]
    public void The_last_slot_is_waited_for_while_a_process_looks_at_it()
    {
        const int Attempts = 40;
        var directory = Own(new QueueDirectory());
        var queue = Own(directory.Open());
        var producers = Enumerable.Range(0, Seats).Select(_ => Own(queue.OpenProducer())).ToList();
        producers[^1].Dispose();
        var refused = 0;
        var isOver = false;
        using var looks = new AutoResetEvent(false);
        var looker = new Background(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                using (var look = FileLease.TryAcquireShare(Lease(directory, Seats), FilePermissions.OfUser))
                {
                    if (look is not null)
                    {
                        looks.Set();
                        Thread.Sleep(5);
                    }
                }

                Thread.Sleep(1);
            }
        });
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            looks.WaitOne();
            refused += Record.Exception(() => queue.OpenProducer().Dispose()) is null ? 0 : 1;
        }

        Volatile.Write(ref isOver, true);
        looker.Join();

        // Who does not wait is refused nearly always; who waits only when the machine is very busy.
        Assert.InRange(refused, 0, Attempts / 2);
    }

    [Fact]
    public void A_queue_whose_last_slot_a_process_looks_at_for_ever_is_full()
    {
        var directory = Own(new QueueDirectory());
        var queue = Own(directory.Open());
        var producers = Enumerable.Range(0, Seats).Select(_ => Own(queue.OpenProducer())).ToList();
        producers[^1].Dispose();
        using (FileLease.TryAcquireShare(Lease(directory, Seats), FilePermissions.OfUser))
        {
            Assert.Throws<InvalidOperationException>(() => queue.OpenProducer());
        }

        queue.OpenProducer().Dispose();
    }

    private static string Lease(QueueDirectory directory, int slot) => ControlMap.LeasePath(directory.Path, slot);

    private static int Read(MessageConsumer<RawMessage> consumer)
    {
        Assert.True(consumer.TryRead(out var delivery, Generous));
        using (delivery)
        {
            var number = Payload.Number(delivery.Message.Bytes);
            delivery.Commit();
            return number;
        }
    }

    /// <summary>Looks at the first slots, and does not stop to. One that has a living owner cannot be looked at.</summary>
    private void LookAtAll(QueueDirectory directory)
    {
        var looks = Enumerable.Range(1, 4).Select(slot => FileLease.TryAcquireShare(Lease(directory, slot), FilePermissions.OfUser)).OfType<FileLease>().ToList();
        Assert.NotEmpty(looks);
        _owned.AddRange(looks);
    }

    /// <summary>A producer published 1 and died within a record; another one, if there can be one, has published 2 behind it.</summary>
    private QueueDirectory CrashWithin(QueueMode mode, ProducerMode producers)
    {
        var directory = Own(new QueueDirectory(mode, producers));
        using var queue = directory.Open();
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1));
        using var claim = producer.Claim(1_000);
        if (producers == ProducerMode.Multiple)
        {
            using var other = queue.OpenProducer();
            other.Publish(Payload.Of(2));
        }

        return Own(directory.Crash());
    }

    private QueueDirectory CrashWithConsumer()
    {
        var directory = Own(new QueueDirectory());
        using var queue = directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        return Own(directory.Crash());
    }

    private T Own<T>(T owned)
        where T : IDisposable
    {
        _owned.Add(owned);
        return owned;
    }
}
