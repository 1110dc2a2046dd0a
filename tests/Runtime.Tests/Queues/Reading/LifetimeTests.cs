namespace BufferedMessages.Runtime.Tests.Queues;

public abstract class LifetimeTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void Everything_may_be_disposed_twice()
    {
        var queue = _directory.Open();
        var producer = queue.OpenProducer();
        var consumer = queue.OpenConsumer<RawMessage>("risk");
        for (var i = 0; i < 2; i++)
        {
            consumer.Dispose();
            producer.Dispose();
            queue.Dispose();
        }
    }

    [Fact]
    public void Everything_throws_after_its_dispose()
    {
        var queue = _directory.Open();
        var producer = queue.OpenProducer();
        var consumer = queue.OpenConsumer<RawMessage>("risk");
        consumer.Dispose();
        producer.Dispose();
        queue.Dispose();

        Assert.Throws<ObjectDisposedException>(() => producer.Publish("x"u8));
        Assert.Throws<ObjectDisposedException>(() => producer.Claim(1));
        Assert.Throws<ObjectDisposedException>(() => consumer.TryRead(out _));
        Assert.Throws<ObjectDisposedException>(() => consumer.TryRead(out _, TimeSpan.Zero));
        Assert.Throws<ObjectDisposedException>(() => ReadOne(consumer));
        Assert.Throws<ObjectDisposedException>(() => queue.OpenProducer());
        Assert.Throws<ObjectDisposedException>(() => queue.OpenConsumer<RawMessage>("risk"));
    }

    [Fact]
    public void Participants_outlive_the_queue_handle()
    {
        var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        queue.Dispose();

        Payload.PublishNumbers(producer, 0, 5_000);

        Assert.Equal(5_000, Payload.ReadNumbers(consumer).Count);
    }

    [Fact]
    public void A_delivery_is_readable_after_its_consumer_was_disposed_and_closes_it_when_it_ends()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        producer.Publish("kept"u8);
        var consumer = queue.OpenConsumer<RawMessage>("risk");
        Assert.True(consumer.TryRead(out var delivery));
        consumer.Dispose();

        Assert.Equal("kept"u8, delivery.Message.Bytes);
        Assert.Throws<QueueInUseException>(() => queue.OpenConsumer<RawMessage>("risk"));
        delivery.Commit();
        using var next = queue.OpenConsumer<RawMessage>("risk");
        Assert.False(next.TryRead(out _));
    }

    [Fact]
    public async Task A_consumer_that_is_disposed_within_a_delivery_reads_no_further_message()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 3);
        var consumer = queue.OpenConsumer<RawMessage>("risk");
        Assert.True(consumer.TryRead(out _));
        consumer.Dispose();

        Assert.Throws<ObjectDisposedException>(() => consumer.TryRead(out _));
        Assert.Throws<ObjectDisposedException>(() => consumer.TryRead(out _, TimeSpan.FromSeconds(1)));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await consumer.WaitToReadAsync(TimeSpan.Zero));

        using var next = queue.OpenConsumer<RawMessage>("risk");
        Assert.Equal([0, 1, 2], Payload.ReadNumbers(next));
    }

    [Fact]
    public void A_claim_is_writable_after_its_producer_was_disposed_and_closes_it_when_it_ends()
    {
        using var queue = _directory.OpenSingle();
        var producer = queue.OpenProducer();
        var claim = producer.Claim(4);
        producer.Dispose();

        Payload.Of(42).CopyTo(claim.Span);
        Assert.Throws<QueueInUseException>(() => queue.OpenProducer());
        claim.Commit(4);
        using var next = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Assert.Equal([42], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_loop_survives_the_dispose_of_its_consumer_until_it_asks_for_the_next_message()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 3);
        var consumer = queue.OpenConsumer<RawMessage>("risk");

        Assert.Throws<ObjectDisposedException>(() =>
        {
            foreach (var delivery in consumer.ReadAll())
            {
                consumer.Dispose();
                Assert.Equal(0, Payload.Number(delivery.Message.Bytes));
            }
        });

        using var next = queue.OpenConsumer<RawMessage>("risk");
        Assert.Equal([1, 2], Payload.ReadNumbers(next));
    }

    [Fact]
    public void A_delivery_that_was_not_given_may_be_disposed()
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        var isTaken = consumer.TryRead(out var delivery);
        using (delivery)
        {
            Assert.False(isTaken);
        }
    }

    [Fact]
    public void Two_deliveries_of_a_member_at_once_are_refused()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk", new() { Shared = true });
        Payload.PublishNumbers(producer, 0, 2);
        Assert.True(consumer.TryRead(out var delivery));

        Assert.Throws<InvalidOperationException>(() => consumer.TryRead(out _));
        Assert.Throws<InvalidOperationException>(() => ReadOne(consumer));
        delivery.Commit();
        Assert.Equal([1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Publishing_beside_an_open_claim_is_refused()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var claim = producer.Claim(8);

        Assert.Throws<InvalidOperationException>(() => producer.Publish("x"u8));
        Assert.Throws<InvalidOperationException>(() => producer.Claim(8));
    }

    [Fact]
    public void Disposing_from_another_thread_while_publishing_never_faults()
    {
        using var queue = _directory.Open();
        for (var round = 0; round < 50; round++)
        {
            var producer = queue.OpenProducer();
            using var started = new ManualResetEventSlim();
            var publishing = new Background(() => Assert.Throws<ObjectDisposedException>(() => PublishForEver(producer, started)));
            started.Wait();
            producer.Dispose();
            publishing.Join();
        }
    }

    [Fact]
    public void Disposing_from_another_thread_ends_a_waiting_loop()
    {
        using var queue = _directory.Open();
        for (var round = 0; round < 20; round++)
        {
            var consumer = queue.OpenConsumer<RawMessage>("risk");
            using var started = new ManualResetEventSlim();
            var reading = new Background(() =>
            {
                started.Set();
                Assert.Throws<ObjectDisposedException>(() => ReadOne(consumer));
            });
            started.Wait();
            consumer.Dispose();
            reading.Join();
        }
    }

    private static void PublishForEver(MessageProducer producer, ManualResetEventSlim started)
    {
        // A bounded queue is full soon, since nobody reads it.
        while (true)
        {
            producer.TryPublish("some message"u8, out _);
            started.Set();
        }
    }

    private static void ReadOne(MessageConsumer<RawMessage> consumer)
    {
        foreach (var _ in consumer.ReadAll())
        {
            break;
        }
    }

    public sealed class DurableSingle() : LifetimeTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : LifetimeTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : LifetimeTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : LifetimeTests(QueueMode.Bounded, ProducerMode.Multiple);
}
