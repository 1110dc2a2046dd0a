using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Producers of a bounded queue that is full, and members of a group that is empty: by futex and by polling.</summary>
[Collection(ProcessWideSwitches.Name)]
public abstract class FullQueueTests : IDisposable
{
    private const int Slots = 2;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory;

    protected FullQueueTests(ProducerMode producers, bool polling)
    {
        AppContext.SetSwitch(WordWait.PollingSwitch, polling);
        _directory = new QueueDirectory(QueueMode.Bounded, producers);
    }

    public void Dispose()
    {
        AppContext.SetSwitch(WordWait.PollingSwitch, false);
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void A_producer_waits_until_the_slowest_name_has_read()
    {
        using var queue = _directory.Open(slots: Slots);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var published = Fill(producer);
        using var started = new ManualResetEventSlim();
        var publishing = new Background(() =>
        {
            started.Set();
            producer.Publish(Payload.Of(published));
        });
        started.Wait();

        Assert.Equal(Enumerable.Range(0, published), Payload.ReadNumbers(consumer).Take(published));

        publishing.Join();
    }

    [Fact]
    public void Members_of_a_group_free_the_producer_by_their_commits()
    {
        using var queue = _directory.Open(slots: Slots);
        using var producer = queue.OpenProducer();
        using var first = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        using var second = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Fill(producer);
        Assert.True(first.TryRead(out var held));
        Payload.ReadNumbers(second);

        // The first message of the ring is still in flight: it holds the producer up, all others are done.
        Assert.False(producer.TryPublish(Payload.Of(1), out _, TimeSpan.FromMilliseconds(10)));
        using var started = new ManualResetEventSlim();
        var publishing = new Background(() =>
        {
            started.Set();
            Assert.True(producer.TryPublish(Payload.Of(1), out _, Generous));
        });
        started.Wait();
        held.Commit();

        publishing.Join();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(120)]
    public void A_wait_for_room_ends_when_its_time_is_over_and_publishes_nothing(int milliseconds)
    {
        using var queue = _directory.Open(slots: Slots);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var published = Fill(producer);

        Assert.False(producer.TryPublish(Payload.Of(-1), out var position, TimeSpan.FromMilliseconds(milliseconds)));
        Assert.Equal(0, position);
        Assert.False(producer.TryClaim(100, out _, TimeSpan.FromMilliseconds(milliseconds)));
        Assert.Equal(Enumerable.Range(0, published), Payload.ReadNumbers(consumer));
        producer.Publish(Payload.Of(9));
        Assert.Equal([9], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Cancelling_ends_a_wait_for_room_and_publishes_nothing()
    {
        using var queue = _directory.Open(slots: Slots);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var published = Fill(producer);
        using var cancellation = new CancellationTokenSource(TimeSpan.FromMilliseconds(20));

        Assert.ThrowsAny<OperationCanceledException>(() => producer.Publish(Payload.Of(-1), cancellation.Token));

        Assert.Equal(Enumerable.Range(0, published), Payload.ReadNumbers(consumer));
        producer.Publish(Payload.Of(9));
    }

    [Fact]
    public void A_negative_timeout_is_refused()
    {
        using var queue = _directory.Open(slots: Slots);
        using var producer = queue.OpenProducer();
        Fill(producer);

        Assert.Throws<ArgumentOutOfRangeException>(() => producer.TryPublish(Payload.Of(1), out _, TimeSpan.FromMilliseconds(-2)));
        Assert.False(producer.TryPublish(Payload.Of(1), out _));
    }

    [Fact]
    public async Task A_negative_timeout_is_refused_while_there_is_room_too()
    {
        using var queue = _directory.Open(slots: Slots);
        using var producer = queue.OpenProducer();
        var negative = TimeSpan.FromMilliseconds(-2);

        Assert.Throws<ArgumentOutOfRangeException>(() => producer.TryPublish(Payload.Of(1), out _, negative));
        Assert.Throws<ArgumentOutOfRangeException>(() => producer.TryPublish(Payload.Of(1), out _, negative, new MessageProperties { Reason = "test" }));
        Assert.Throws<ArgumentOutOfRangeException>(() => producer.TryClaim(4, out _, negative));
        Assert.Throws<ArgumentOutOfRangeException>(() => producer.TryClaimBatch(64, out _, negative));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(async () => await producer.PublishAsync(Payload.Of(1), negative));

        Assert.True(producer.TryPublish(Payload.Of(1), out _));
    }

    [Fact]
    public void Disposing_a_producer_ends_its_wait_for_room()
    {
        using var queue = _directory.Open(slots: Slots);
        var producer = queue.OpenProducer();
        Fill(producer);
        using var started = new ManualResetEventSlim();
        var publishing = new Background(() =>
        {
            started.Set();
            Assert.Throws<ObjectDisposedException>(() => producer.Publish(Payload.Of(1)));
        });
        started.Wait();
        producer.Dispose();
        publishing.Join();

        using var next = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Dispose();
    }

    [Fact]
    public void Disposing_a_member_ends_its_wait_and_the_others_go_on()
    {
        using var queue = _directory.Open(slots: Slots);
        using var producer = queue.OpenProducer();
        using var other = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        using var started = new ManualResetEventSlim();
        var reading = new Background(() =>
        {
            started.Set();
            Assert.Throws<ObjectDisposedException>(() => { member.TryRead(out _, Timeout.InfiniteTimeSpan); });
        });
        started.Wait();
        member.Dispose();
        reading.Join();

        producer.Publish(Payload.Of(3));
        Assert.Equal([3], Payload.ReadNumbers(other));
    }

    [Fact]
    public void Waiting_members_share_what_a_producer_that_waits_too_publishes()
    {
        using var queue = _directory.Open(slots: Slots);
        const int Count = 50_000;
        queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }).Dispose();
        var sum = 0L;
        var members = Enumerable.Range(0, 3).Select(_ => new Background(() =>
        {
            using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
            while (member.TryRead(out var delivery, Generous))
            {
                var number = Payload.Number(delivery.Message.Bytes);
                delivery.Commit();
                if (number < 0)
                {
                    return;
                }

                Interlocked.Add(ref sum, number);
            }
        })).ToList();
        using var producer = queue.OpenProducer();
        for (var i = 0; i < Count; i++)
        {
            producer.Publish(Payload.Of(i));
        }

        members.ForEach(_ => producer.Publish(Payload.Of(-1)));
        members.ForEach(member => member.Join());
        Assert.Equal((long)Count * (Count - 1) / 2, sum);
    }

    /// <summary>Publishes numbers until the queue is full.</summary>
    private static int Fill(MessageProducer producer)
    {
        var published = 0;
        while (producer.TryPublish(Payload.Of(published), out _))
        {
            published++;
        }

        Assert.InRange(published, 2_048, 4_096);
        return published;
    }

    public sealed class SingleByFutex() : FullQueueTests(ProducerMode.Single, polling: false);

    public sealed class ManyByFutex() : FullQueueTests(ProducerMode.Multiple, polling: false);

    public sealed class SingleByPolling() : FullQueueTests(ProducerMode.Single, polling: true);

    public sealed class ManyByPolling() : FullQueueTests(ProducerMode.Multiple, polling: true);
}
