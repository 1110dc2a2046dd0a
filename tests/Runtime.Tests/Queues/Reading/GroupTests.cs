namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class GroupTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(QueueMode.Durable)]
    [InlineData(QueueMode.Bounded)]
    public void Each_message_goes_to_exactly_one_member(QueueMode mode)
    {
        using var queue = Open(mode);
        const int Count = 100_000;
        var seen = new int[Count];
        var members = Enumerable.Range(0, 3).Select(_ => new Background(() =>
        {
            using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
            while (member.TryRead(out var delivery, Generous))
            {
                var number = Payload.Number(delivery.Message.Bytes);
                if (number < 0)
                {
                    delivery.Commit();
                    return;
                }

                Interlocked.Increment(ref seen[number]);
                Assert.False(delivery.IsRedelivery);
                delivery.Commit();
            }
        })).ToList();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, Count);
        for (var i = 0; i < members.Count; i++)
        {
            producer.Publish(Payload.Of(-1));
        }

        members.ForEach(member => member.Join());
        Assert.All(seen, times => Assert.Equal(1, times));
    }

    [Theory]
    [InlineData(QueueMode.Durable)]
    [InlineData(QueueMode.Bounded)]
    public void A_message_that_a_closed_member_had_not_committed_goes_to_another_and_is_flagged(QueueMode mode)
    {
        using var queue = Open(mode);
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 2);
        using var other = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        using (var leaver = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }))
        {
            Assert.True(leaver.TryRead(out var delivery));
            Assert.Equal(0, Payload.Number(delivery.Message.Bytes));
            delivery.Dispose();
        }

        var seen = new List<(int, bool)>();
        while (seen.Count < 2 && other.TryRead(out var delivery, Generous))
        {
            seen.Add((Payload.Number(delivery.Message.Bytes), delivery.IsRedelivery));
            delivery.Commit();
        }

        Assert.Equal([(0, true), (1, false)], seen.Order());
        Assert.False(other.TryRead(out _, TimeSpan.FromMilliseconds(100)));
    }

    // A member looks for messages of others when it is idle, at the end of a segment, and at every 64th message.
    [Fact]
    public void A_member_that_always_has_messages_delivers_that_of_a_closed_one_within_a_segment()
    {
        const int SegmentBytes = 16 * 1024 * 1024;
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { Mode = QueueMode.Bounded, Producers = ProducerMode.Single, SegmentBytes = SegmentBytes, Slots = 2 });
        using var producer = queue.OpenProducer();
        using var busy = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        producer.Publish(Payload.Of(0));
        using (var leaver = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }))
        {
            Assert.True(leaver.TryRead(out var delivery));
            delivery.Dispose();
        }

        var redelivered = -1;
        for (var position = 0L; redelivered < 0 && position < SegmentBytes - (2 * QueueDirectory.NumberRecord);)
        {
            position = producer.Publish(Payload.Of(1));
            Assert.True(busy.TryRead(out var delivery));
            redelivered = delivery.IsRedelivery ? Payload.Number(delivery.Message.Bytes) : -1;
            delivery.Commit();
        }

        Assert.Equal(0, redelivered);
        Assert.Equal([1], Payload.ReadNumbers(busy));
    }

    [Fact]
    public void A_damaged_record_that_a_dead_member_had_taken_is_reported_and_not_lost()
    {
        using var queue = Open(QueueMode.Durable);
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 2);
        using var other = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        using (var leaver = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }))
        {
            Assert.True(leaver.TryRead(out var delivery));
            delivery.Dispose();
        }

        var segment = _directory.SegmentFile(0);
        QueueDirectory.Damage(segment, QueueDirectory.FirstPayloadBytes, 0xFF, 0xFF, 0xFF, 0xFF);
        Assert.True(other.TryRead(out var next, Generous));
        Assert.Equal((1, false), (Payload.Number(next.Message.Bytes), next.IsRedelivery));
        next.Commit();
        Assert.Equal(QueueDirectory.FirstRecord, Assert.Throws<QueueCorruptedException>(() => other.TryRead(out _, Generous)).Position);

        QueueDirectory.Damage(segment, QueueDirectory.FirstPayloadBytes, 4, 0, 0, 0);
        Assert.True(other.TryRead(out var again, Generous));
        Assert.Equal((0, true), (Payload.Number(again.Message.Bytes), again.IsRedelivery));
        again.Commit();
        Payload.PublishNumbers(producer, 2, 2);
        Assert.Equal([2, 3], Payload.ReadNumbers(other));
    }

    private MessageQueue Open(QueueMode mode) =>
        MessageQueue.Open(_directory.Path, new MessageQueueOptions { Mode = mode, SegmentBytes = QueueDirectory.SmallSegment });
}
