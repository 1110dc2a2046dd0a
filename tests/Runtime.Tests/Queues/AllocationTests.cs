namespace BufferedMessages.Runtime.Tests.Queues;

public abstract class AllocationTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private const int Messages = 1_000;

    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void Publishing_allocates_nothing()
    {
        using var queue = _directory.Open(segmentBytes: 1024 * 1024, slots: 4);
        using var producer = queue.OpenProducer();
        Publish(producer);

        Allocations.AssertNone(() => Publish(producer));
    }

    [Fact]
    public void Reading_by_deliveries_allocates_nothing()
    {
        using var queue = _directory.Open(segmentBytes: 1024 * 1024, slots: 4);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        PublishForAllAttempts(producer);
        Take(consumer);

        Allocations.AssertNone(() => Take(consumer));
    }

    [Fact]
    public void Reading_in_a_loop_allocates_nothing()
    {
        using var queue = _directory.Open(segmentBytes: 1024 * 1024, slots: 4);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        PublishForAllAttempts(producer);
        Loop(consumer);

        Allocations.AssertNone(() => Loop(consumer));
    }

    [Fact]
    public void A_member_of_a_group_allocates_nothing()
    {
        using var queue = _directory.Open(segmentBytes: 1024 * 1024, slots: 4);
        using var producer = queue.OpenProducer();
        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        using var other = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        PublishForAllAttempts(producer);
        Take(other);
        Take(member);

        Allocations.AssertNone(() =>
        {
            Take(member);
            Loop(member);
        });
    }

    [Fact]
    public void Going_round_the_ring_allocates_nothing()
    {
        // A durable queue makes a file for each segment, and that allocates.
        if (!_directory.IsBounded)
        {
            return;
        }

        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        GoRound(producer, consumer);

        Allocations.AssertNone(() => GoRound(producer, consumer));
    }

    [Fact]
    public void Waiting_for_room_in_vain_allocates_nothing()
    {
        if (!_directory.IsBounded)
        {
            return;
        }

        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer();
        using var cancellation = new CancellationTokenSource();
        while (producer.TryPublish(new byte[1_000], out _))
        {
        }

        var payload = new byte[2_000];
        producer.TryPublish(payload, out _, TimeSpan.FromMilliseconds(2), cancellationToken: cancellation.Token);
        Allocations.AssertNone(() =>
        {
            Assert.False(producer.TryPublish(payload, out _, TimeSpan.FromMilliseconds(2), cancellationToken: cancellation.Token));
            Assert.False(producer.TryPublish(payload, out _));
        });
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Waiting_in_vain_allocates_nothing(bool isMember)
    {
        using var queue = _directory.Open();
        using var consumer = isMember ? queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }) : queue.OpenConsumer<RawMessage>("risk");
        using var cancellation = new CancellationTokenSource();
        Assert.False(consumer.TryRead(out _, TimeSpan.FromMilliseconds(2), cancellationToken: cancellation.Token));

        Allocations.AssertNone(() => Assert.False(consumer.TryRead(out _, TimeSpan.FromMilliseconds(2), cancellationToken: cancellation.Token)));
    }

    private static void PublishForAllAttempts(MessageProducer producer)
    {
        for (var i = 0; i < Allocations.Attempts + 1; i++)
        {
            Publish(producer);
        }
    }

    private static void Publish(MessageProducer producer)
    {
        for (var i = 0; i < Messages; i++)
        {
            producer.Publish("a message of some length"u8);
            using var claim = producer.Claim(100);
            claim.Span[0] = 1;
            claim.Commit(50);
        }
    }

    private static void GoRound(MessageProducer producer, MessageConsumer<RawMessage> consumer)
    {
        for (var i = 0; i < 5_000; i++)
        {
            producer.Publish("a message of some length"u8);
            Assert.True(consumer.TryRead(out var delivery));
            delivery.Commit();
        }
    }

    private static void Take(MessageConsumer<RawMessage> consumer)
    {
        for (var i = 0; i < Messages; i++)
        {
            Assert.True(consumer.TryRead(out var delivery));
            using (delivery)
            {
                delivery.Commit();
            }
        }
    }

    private static void Loop(MessageConsumer<RawMessage> consumer)
    {
        var left = Messages;
        foreach (var delivery in consumer.ReadAll())
        {
            if (delivery.Message.Bytes.Length == 0 || --left == 0)
            {
                break;
            }
        }
    }

    public sealed class DurableSingle() : AllocationTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : AllocationTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : AllocationTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : AllocationTests(QueueMode.Bounded, ProducerMode.Multiple);
}
