using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class BoundedTests : IDisposable
{
    private const int Slots = 2;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void Messages_go_round_the_ring_many_times_in_order(ProducerMode producers)
    {
        using var queue = Open(producers);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        const int Count = 200_000;
        var reading = new Background(() =>
        {
            for (var i = 0; i < Count; i++)
            {
                Assert.True(consumer.TryRead(out var delivery, Generous), $"Message {i} did not arrive.");
                Assert.Equal(i, Payload.Number(delivery.Message.Bytes));
                delivery.Commit();
            }
        });
        for (var i = 0; i < Count; i++)
        {
            producer.Publish(Payload.Of(i));
        }

        reading.Join();
        Assert.Equal(Slots * QueueDirectory.SmallSegment, new FileInfo(Path.Combine(_directory.Path, "ring")).Length);
    }

    public static TheoryData<ProducerMode, ulong> ImpossibleStates()
    {
        var data = new TheoryData<ProducerMode, ulong>();
        foreach (var producers in Enum.GetValues<ProducerMode>())
        {
            foreach (var state in new[] { RingSlot.Open(1_000), RingSlot.Opening(1_001), RingSlot.Opening(2), ulong.MaxValue })
            {
                data.Add(producers, state);
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(ImpossibleStates))]
    public void A_slot_in_a_state_that_cannot_be_is_reported_by_statistics_and_producers(ProducerMode producers, ulong state)
    {
        using var queue = Open(producers);
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1, QueueDirectory.LargestPayload));
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Commit();
        var slot = QueueFormat.ControlRingSlotsOffset + RingSlot.Bytes;
        QueueDirectory.Damage(_directory.ControlFile, slot, BitConverter.GetBytes(state));

        Assert.All([() => queue.GetStatistics(), () => producer.Publish(Payload.Of(2))], (Action use) =>
        {
            var exception = Assert.Throws<QueueCorruptedException>(() => Task.Run(use).WaitAsync(Generous).GetAwaiter().GetResult());
            Assert.Equal((_directory.ControlFile, (long)slot), (exception.File, exception.Position));
        });
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 1)]
    [InlineData(1, 0)]
    [InlineData(1, 3)]
    [InlineData(3, 16)]
    public void A_slot_whose_state_does_not_follow_from_the_others_is_reported(int slot, ulong state)
    {
        using (var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = QueueDirectory.SmallSegment, Slots = 4 }))
        using (var producer = queue.OpenProducer())
        {
            for (var i = 0; i < 3; i++)
            {
                producer.Publish(Payload.Of(i, QueueDirectory.LargestPayload));
            }
        }

        var position = QueueFormat.ControlRingSlotsOffset + (slot * RingSlot.Bytes);
        QueueDirectory.Damage(_directory.ControlFile, position, BitConverter.GetBytes(state));

        using var again = MessageQueue.OpenExisting(_directory.Path);
        Assert.All([() => again.GetStatistics(), () => again.OpenReader<RawMessage>(), () => again.OpenConsumer<RawMessage>("all"), () => again.OpenProducer()], (Action use) =>
        {
            var exception = Assert.Throws<QueueCorruptedException>(use);
            Assert.Equal((_directory.ControlFile, (long)position), (exception.File, exception.Position));
        });
    }

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void A_full_queue_refuses_at_once_and_takes_more_when_it_was_read(ProducerMode producers)
    {
        using var queue = Open(producers);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var published = 0;
        while (producer.TryPublish(Payload.Of(published), out _))
        {
            published++;
        }

        Assert.InRange(published, 100, 10_000);
        Assert.False(producer.TryPublish(Payload.Of(published), out _, TimeSpan.FromMilliseconds(20)));
        Assert.Equal(Enumerable.Range(0, published), Payload.ReadNumbers(consumer));
        Assert.True(producer.TryPublish(Payload.Of(published), out _));
        Assert.Equal([published], Payload.ReadNumbers(consumer));
    }

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void Every_length_from_0_to_70000_arrives_unchanged(ProducerMode producers)
    {
        using var queue = MessageQueue.Open(
            _directory.Path, new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 128 * 1024, Slots = Slots, Producers = producers });
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var bytes = Payload.Of(1, 70_001 + byte.MaxValue);
        for (var length = 0; length <= 70_000; length++)
        {
            // Each begins at another byte, so that what a message leaves behind is never taken for the next one.
            var payload = bytes.AsSpan(length % byte.MaxValue, length);
            producer.Publish(payload);

            Assert.True(consumer.TryRead(out var delivery));
            Assert.True(delivery.Message.Bytes.SequenceEqual(payload), $"length {length}");
            delivery.Commit();
        }
    }

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void A_producer_that_opens_while_the_first_slot_is_being_prepared_publishes_when_that_is_over(ProducerMode producers)
    {
        const int FirstSlotLock = 4096 + (256 * 384) + (254 * 256) + 64;
        using var queue = Open(producers);
        using var holder = queue.OpenConsumer<RawMessage>("all");
        var holderOfTheLock = (uint)Assert.Single(Assert.Single(queue.GetStatistics().Consumers).Members).Slot + 1;
        QueueDirectory.Damage(_directory.ControlFile, FirstSlotLock, BitConverter.GetBytes(holderOfTheLock));
        using var producer = queue.OpenProducer();
        Assert.False(producer.TryPublish(Payload.Of(1), out _));

        QueueDirectory.Damage(_directory.ControlFile, FirstSlotLock, BitConverter.GetBytes(0u));

        producer.Publish(Payload.Of(2));
        Assert.Equal([2], Payload.ReadNumbers(holder));
    }

    // It waits as long as for the membership lock. Another producer has the lock of another slot.
    [Fact]
    public void A_name_that_begins_in_a_slot_that_a_producer_does_not_unlock_is_refused_and_holds_up_no_other()
    {
        const int FirstSlotLock = QueueFormat.ControlRingSlotsOffset + 64;
        const int SecondSlotLock = FirstSlotLock + RingSlot.Bytes;
        const uint OtherHolderOfALock = 200;
        using var queue = Open(ProducerMode.Multiple);
        using var holder = queue.OpenConsumer<RawMessage>("all");
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, QueueDirectory.NumbersInSegment + 1);
        var holderOfTheLock = (uint)Assert.Single(Assert.Single(queue.GetStatistics().Consumers).Members).Slot + 1;
        QueueDirectory.Damage(_directory.ControlFile, FirstSlotLock, BitConverter.GetBytes(OtherHolderOfALock));
        QueueDirectory.Damage(_directory.ControlFile, SecondSlotLock, BitConverter.GetBytes(holderOfTheLock));

        var refused = Assert.Throws<QueueInUseException>(() => queue.OpenConsumer<RawMessage>("late", new() { Start = QueueStart.Latest }));

        Assert.Equal(Environment.ProcessId, refused.ProcessId);
        queue.OpenProducer().Dispose();
        Assert.Equal("all", Assert.Single(queue.GetStatistics().Consumers).Name);
        QueueDirectory.Damage(_directory.ControlFile, SecondSlotLock, BitConverter.GetBytes(0u));
        queue.OpenConsumer<RawMessage>("late", new() { Start = QueueStart.Latest }).Dispose();
    }

    // A producer that has the lock may find that it cannot reuse the slot.
    [Fact]
    public void A_name_that_begins_at_the_earliest_message_waits_while_a_producer_has_the_lock_of_its_slot()
    {
        const int FirstSlotLock = QueueFormat.ControlRingSlotsOffset + 64;
        using var queue = Open(ProducerMode.Multiple);
        using var holder = queue.OpenConsumer<RawMessage>("all");
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, QueueDirectory.NumbersInSegment + 1);
        var holderOfTheLock = (uint)Assert.Single(Assert.Single(queue.GetStatistics().Consumers).Members).Slot + 1;
        QueueDirectory.Damage(_directory.ControlFile, FirstSlotLock, BitConverter.GetBytes(holderOfTheLock));
        var unlocking = new Background(() =>
        {
            Thread.Sleep(50);
            QueueDirectory.Damage(_directory.ControlFile, FirstSlotLock, BitConverter.GetBytes(0u));
        });

        using var early = queue.OpenConsumer<RawMessage>("early");

        unlocking.Join();
        Assert.Equal(Enumerable.Range(0, QueueDirectory.NumbersInSegment + 1), Payload.ReadNumbers(early));
    }

    // A consumer that was moved to a later message does not hold the slot.
    [Fact]
    public void A_slot_with_a_message_that_is_still_written_is_not_reused()
    {
        using var queue = Open(ProducerMode.Multiple);
        using var writing = queue.OpenProducer();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var claim = writing.Claim(sizeof(int));
        consumer.Seek(QueueStart.At(producer.Publish(Payload.Of(0))));
        Assert.Equal([0], Payload.ReadNumbers(consumer));
        var published = 1;
        while (published < 2 * Slots * QueueDirectory.NumbersInSegment && producer.TryPublish(Payload.Of(published), out _))
        {
            Assert.Equal([published], Payload.ReadNumbers(consumer));
            published++;
        }

        Assert.Equal((Slots * QueueDirectory.NumbersInSegment) - 1, published);
        Payload.Of(-1).CopyTo(claim.Span);
        claim.Commit(sizeof(int));
        using var reader = queue.OpenReader<RawMessage>();
        Assert.True(reader.TryRead(out var delivery));
        Assert.Equal(-1, Payload.Number(delivery.Message.Bytes));
        producer.Publish(Payload.Of(published));
        Assert.Equal([published], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_slot_with_messages_that_dead_producers_had_not_finished_is_reused()
    {
        using var queue = Open(ProducerMode.Multiple);
        using var first = queue.OpenProducer();
        using var second = queue.OpenProducer();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var claim = first.Claim(sizeof(int));
        using var other = second.Claim(sizeof(int));
        consumer.Seek(QueueStart.At(producer.Publish(Payload.Of(0))));
        using var crashed = _directory.Crash();

        using var again = MessageQueue.OpenExisting(crashed.Path);
        using var successor = again.OpenProducer();
        using var reading = again.OpenConsumer<RawMessage>("all");
        Assert.Equal([0], Payload.ReadNumbers(reading));
        for (var i = 1; i < 2 * Slots * QueueDirectory.NumbersInSegment; i++)
        {
            Assert.True(successor.TryPublish(Payload.Of(i), out _, Generous));
            Assert.Equal([i], Payload.ReadNumbers(reading));
        }
    }

    // As a producer leaves it that dies at this step.
    [Fact]
    public void Readers_begin_after_a_slot_that_is_being_prepared_or_are_told_that_its_messages_are_gone()
    {
        using var queue = Open(ProducerMode.Multiple);
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, Slots * QueueDirectory.NumbersInSegment);
        using var early = queue.OpenReader<RawMessage>();
        QueueDirectory.Damage(_directory.ControlFile, QueueFormat.ControlRingSlotsOffset, BitConverter.GetBytes(RingSlot.Opening(Slots)));

        using var reader = queue.OpenReader<RawMessage>();

        Assert.True(reader.TryRead(out var delivery));
        Assert.Equal(QueueDirectory.NumbersInSegment, Payload.Number(delivery.Message.Bytes));
        Assert.Equal(QueueDirectory.SmallSegment, Assert.Throws<MessagesDeletedException>(() => early.TryRead(out _)).FirstPosition);
        Assert.Equal(QueueDirectory.SmallSegment, queue.GetStatistics().FirstPosition);
    }

    [Fact]
    public void Without_a_consumer_name_the_queue_fills_and_keeps_everything_for_the_first_one()
    {
        using var queue = Open(ProducerMode.Multiple);
        using var producer = queue.OpenProducer();
        var published = 0;
        while (producer.TryPublish(Payload.Of(published), out _))
        {
            published++;
        }

        using var consumer = queue.OpenConsumer<RawMessage>("first");
        Assert.Equal(Enumerable.Range(0, published), Payload.ReadNumbers(consumer));
    }

    private MessageQueue Open(ProducerMode producers) => MessageQueue.Open(
        _directory.Path,
        new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = QueueDirectory.SmallSegment, Slots = Slots, Producers = producers });
}
