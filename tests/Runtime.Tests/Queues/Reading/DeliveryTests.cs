namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>What a delivery gives while it is open, and that it throws when it is not.</summary>
public abstract class DeliveryTests(QueueMode mode, bool isShared) : IDisposable
{
    private readonly QueueDirectory _directory = new(mode);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void A_commit_in_a_loop_commits_at_once_so_that_break_after_it_repeats_nothing()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = Open(queue);
        Payload.PublishNumbers(producer, 0, 3);

        foreach (var delivery in consumer.ReadAll())
        {
            delivery.Commit();
            Assert.Throws<ObjectDisposedException>(() => delivery.Message.Bytes.Length);
            break;
        }

        Assert.Equal([1, 2], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void An_abandoned_message_is_the_next_one_again_also_in_a_loop()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = Open(queue);
        Payload.PublishNumbers(producer, 0, 2);
        var seen = new List<int>();

        foreach (var delivery in consumer.ReadAll())
        {
            seen.Add(Payload.Number(delivery.Message.Bytes));
            if (seen.Count < 3)
            {
                delivery.Abandon();
            }
            else if (seen.Count == 4)
            {
                break;
            }
        }

        Assert.Equal([0, 0, 0, 1], seen);
    }

    [Fact]
    public void Every_member_of_a_closed_delivery_throws_but_dispose()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = Open(queue);
        Payload.PublishNumbers(producer, 0, 1);
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Abandon();

        AssertClosed(delivery);
        Assert.True(consumer.TryRead(out var again));
        again.Commit();
        AssertClosed(again);
        AssertClosed(default);
    }

    [Fact]
    public void A_delivery_that_is_kept_does_not_become_the_next_one()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = Open(queue);
        Payload.PublishNumbers(producer, 0, 3);
        var kept = new List<Delivery<RawMessage>>();
        foreach (var delivery in consumer.ReadAll())
        {
            kept.Add(delivery);
            if (kept.Count == 3)
            {
                Assert.Throws<ObjectDisposedException>(() => kept[0].Message.Bytes.Length);
                Assert.Throws<ObjectDisposedException>(() => kept[1].Commit());
                kept[1].Dispose();
                Assert.Equal(2, Payload.Number(kept[2].Message.Bytes));
                break;
            }
        }

        Assert.All(kept, AssertClosed);
        Assert.Equal([2], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void The_loop_has_no_delivery_before_its_first_step()
    {
        using var queue = _directory.Open();
        using var consumer = Open(queue);
        using var loop = consumer.ReadAll().GetEnumerator();

        AssertClosed(loop.Current);
    }

    [Fact]
    public void Reading_beside_a_loop_is_refused()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = Open(queue);
        Payload.PublishNumbers(producer, 0, 2);

        foreach (var delivery in consumer.ReadAll())
        {
            Assert.Throws<InvalidOperationException>(() => consumer.TryRead(out _));
            Assert.Throws<InvalidOperationException>(() => consumer.Seek(QueueStart.Earliest));
            Assert.Throws<InvalidOperationException>(() => First(consumer));
            delivery.Commit();
            Assert.Throws<InvalidOperationException>(() => consumer.TryRead(out _));
            break;
        }

        Assert.Equal([1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_span_that_was_kept_for_too_long_reads_memory_that_is_still_mapped()
    {
        using var queue = _directory.Open();
        var bytes = PassSegments(queue, out var consumer);
        _ = Sum(bytes);
        consumer.Dispose();
        queue.Dispose();

        // What it reads is not said: that it reads is what counts.
        _ = Sum(bytes);
    }

    private static ReadOnlySpan<byte> PassSegments(MessageQueue queue, out MessageConsumer<RawMessage> consumer)
    {
        using var producer = queue.OpenProducer();
        consumer = queue.OpenConsumer<RawMessage>("risk");
        var first = ReadOnlySpan<byte>.Empty;
        for (var i = 0; i < 100; i++)
        {
            producer.Publish(Payload.Of(i, 20_000));
            consumer.TryRead(out var delivery);
            if (i == 0)
            {
                first = Escape(delivery.Message.Bytes);
            }

            delivery.Commit();
        }

        return first;
    }

    // As a user could only by unsafe code.
    private static unsafe ReadOnlySpan<byte> Escape(scoped ReadOnlySpan<byte> bytes)
    {
        fixed (byte* start = bytes)
        {
            return new ReadOnlySpan<byte>(start, bytes.Length);
        }
    }

    private static int Sum(ReadOnlySpan<byte> bytes)
    {
        var sum = 0;
        foreach (var value in bytes)
        {
            sum += value;
        }

        return sum;
    }

    private static void AssertClosed(Delivery<RawMessage> delivery)
    {
        Assert.Throws<ObjectDisposedException>(() => delivery.Message.Bytes.Length);
        Assert.Throws<ObjectDisposedException>(() => delivery.Position);
        Assert.Throws<ObjectDisposedException>(() => delivery.IsRedelivery);
        Assert.Throws<ObjectDisposedException>(() => delivery.Commit());
        Assert.Throws<ObjectDisposedException>(() => delivery.Abandon());
        delivery.Dispose();
    }

    private static void First(MessageConsumer<RawMessage> consumer)
    {
        foreach (var delivery in consumer.ReadAll())
        {
            delivery.Commit();
            break;
        }
    }

    private MessageConsumer<RawMessage> Open(MessageQueue queue) => queue.OpenConsumer<RawMessage>("risk", new() { Shared = isShared });

    public sealed class DurableExclusive() : DeliveryTests(QueueMode.Durable, isShared: false);

    public sealed class DurableGroup() : DeliveryTests(QueueMode.Durable, isShared: true);

    public sealed class BoundedExclusive() : DeliveryTests(QueueMode.Bounded, isShared: false);

    public sealed class BoundedGroup() : DeliveryTests(QueueMode.Bounded, isShared: true);
}
