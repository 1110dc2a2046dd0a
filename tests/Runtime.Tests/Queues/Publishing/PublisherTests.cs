using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A publisher serves all threads.</summary>
public abstract partial class PublisherTests(ProducerMode producers) : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new(QueueMode.Bounded, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task What_many_threads_publish_arrives_once_and_in_the_order_of_each()
    {
        const int Threads = 12;
        const int Messages = 2_000;
        using var queue = _directory.Open(slots: 3);
        using var publisher = queue.OpenPublisher<Numbered>();
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");
        var publishing = Enumerable.Range(0, Threads).Select(thread => Task.Run(async () =>
        {
            for (var i = 0; i < Messages; i++)
            {
                var message = new Numbered { Thread = thread, Number = i };
                if (i % 3 == 0)
                {
                    await publisher.PublishAsync(message);
                }
                else
                {
                    publisher.Publish(message);
                }
            }
        })).ToList();

        var next = new int[Threads];
        for (var left = Threads * Messages; left > 0; left--)
        {
            Assert.True(consumer.TryRead(out var delivery, TimeSpan.FromSeconds(30)));
            var message = delivery.Message;
            Assert.Equal(next[message.Thread]++, message.Number);
            delivery.Commit();
        }

        await Task.WhenAll(publishing);
        Assert.False(consumer.TryRead(out _));
        Assert.InRange(queue.GetStatistics().Producers.Count, 1, producers == ProducerMode.Single ? 1 : Environment.ProcessorCount);
    }

    [Fact]
    public void Publishing_from_one_thread_allocates_nothing()
    {
        using var queue = _directory.Open();
        using var publisher = queue.OpenPublisher<Numbered>();
        var message = new Numbered();

        Allocations.AssertNone(() =>
        {
            for (var i = 0; i < 1_000; i++)
            {
                publisher.Publish(message);
            }
        });
    }

    [Fact]
    public async Task A_full_queue_is_waited_for_and_told()
    {
        using var queue = _directory.Open(slots: 2);
        using var publisher = queue.OpenPublisher<Numbered>();
        var message = new Numbered();
        while (publisher.TryPublish(message, out _))
        {
        }

        Assert.False(publisher.TryPublish(message, out _, TimeSpan.FromMilliseconds(10)));
        await Assert.ThrowsAsync<TimeoutException>(async () => await publisher.PublishAsync(message, TimeSpan.FromMilliseconds(10)));
        using var cancellation = new CancellationTokenSource(TimeSpan.FromMilliseconds(20));
        Assert.ThrowsAny<OperationCanceledException>(() => publisher.Publish(message, cancellation.Token));
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");
        var publishing = publisher.PublishAsync(message);
        while (consumer.TryRead(out var delivery))
        {
            delivery.Commit();
        }

        Assert.True(await publishing > 0);
    }

    [Fact]
    public async Task A_wait_for_a_producer_ends_when_its_time_is_over()
    {
        using var queue = _directory.Open(slots: 2);
        using var publisher = queue.OpenPublisher<Numbered>();
        var message = new Numbered();
        while (publisher.TryPublish(message, out _))
        {
        }

        // Each of them has a producer while it waits for room, and no producer is left.
        var limit = producers == ProducerMode.Single ? 1 : Environment.ProcessorCount;
        var waiting = Enumerable.Range(0, limit).Select(_ => publisher.PublishAsync(message).AsTask()).ToList();
        foreach (var timeout in (TimeSpan[])[TimeSpan.Zero, TimeSpan.FromMilliseconds(10)])
        {
            Assert.False(await Task.Run(() => publisher.TryPublish(message, out _, timeout)).WaitAsync(Generous));
            Assert.False(await Task.Run(() => publisher.TryPublishAll([message], out _, timeout)).WaitAsync(Generous));
            await AssertTimesOut(publisher.PublishAsync(message, timeout).AsTask());
            await AssertTimesOut(publisher.PublishAllAsync(new[] { message }, timeout).AsTask());
        }

        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");
        while (waiting.Exists(static publishing => !publishing.IsCompleted))
        {
            if (consumer.TryRead(out var delivery, TimeSpan.FromMilliseconds(10)))
            {
                delivery.Commit();
            }
        }

        Assert.All(await Task.WhenAll(waiting), static position => Assert.True(position > 0));
    }

    [Fact]
    public async Task A_publisher_that_finds_no_room_for_another_producer_waits_for_those_that_it_has()
    {
        using var queue = _directory.Open(slots: 2);
        using var publisher = queue.OpenPublisher<Numbered>();
        var others = Enumerable.Range(0, ParticipantSlot.Count - 2).Select(i => queue.OpenConsumer<RawMessage>("others", new() { Shared = true })).ToList();
        var message = new Numbered();
        while (publisher.TryPublish(message, out _))
        {
        }

        // It has the only producer while it waits for room.
        var waiting = publisher.PublishAsync(message).AsTask();
        Assert.False(publisher.TryPublish(message, out _));
        var next = publisher.PublishAsync(message).AsTask();
        while (others[0].TryRead(out var delivery))
        {
            delivery.Commit();
        }

        Assert.True(await waiting.WaitAsync(Generous) < await next.WaitAsync(Generous));
        others.ForEach(static other => other.Dispose());
    }

    // It waits as long as any other that opens a participant.
    [Fact]
    public async Task A_publisher_that_cannot_open_another_producer_since_a_process_holds_the_membership_lock_waits_for_those_that_it_has()
    {
        using var queue = _directory.Open(slots: 2);
        using var publisher = queue.OpenPublisher<Numbered>();
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");
        var message = new Numbered();
        while (publisher.TryPublish(message, out _))
        {
        }

        // It has the only producer while it waits for room.
        var waiting = publisher.PublishAsync(message).AsTask();
        using (FileLease.TryAcquire(Path.Combine(_directory.Path, "leases", "0"), FilePermissions.OfUser))
        {
            Assert.False(publisher.TryPublish(message, out _));
        }

        while (consumer.TryRead(out var delivery))
        {
            delivery.Commit();
        }

        Assert.True(await waiting.WaitAsync(Generous) > 0);
    }

    [Fact]
    public async Task A_negative_timeout_is_refused_whether_there_is_room_or_not()
    {
        using var queue = _directory.Open();
        using var publisher = queue.OpenPublisher<Numbered>();
        var message = new Numbered();
        var negative = TimeSpan.FromMilliseconds(-2);

        Assert.Throws<ArgumentOutOfRangeException>(() => publisher.TryPublish(message, out _, negative));
        Assert.Throws<ArgumentOutOfRangeException>(() => publisher.TryPublishAll([message], out _, negative));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(async () => await publisher.PublishAsync(message, negative));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(async () => await publisher.PublishAllAsync(new[] { message }, negative));
    }

    [Fact]
    public void Later_changes_of_the_options_do_not_reach_producers_that_are_opened_later()
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");
        var options = new ProducerOptions { StampTime = true };
        using var pool = new ProducerPool<Numbered>(MessageQueue.OpenExisting(_directory.Path), options);
        var first = pool.Rent(TimeSpan.Zero, CancellationToken.None).Producer!;
        options.StampTime = false;

        // There is one producer alone in a queue for one, and on a machine with one processor.
        var second = pool.Rent(TimeSpan.Zero, CancellationToken.None).Producer ?? first;
        second.Publish(new Numbered());

        Assert.True(consumer.TryRead(out var delivery));
        Assert.NotNull(delivery.Properties.Time);
    }

    [Fact]
    public void Disposing_closes_the_producers_and_leaves_the_queue_open()
    {
        using var queue = _directory.Open();
        var publisher = queue.OpenPublisher<Numbered>();
        publisher.Publish(new Numbered());

        publisher.Dispose();
        publisher.Dispose();

        Assert.Empty(queue.GetStatistics().Producers);
        Assert.Throws<ObjectDisposedException>(() => publisher.Publish(new Numbered()));
        using var again = queue.OpenPublisher<Numbered>();
        again.Publish(new Numbered());
    }

    [Fact]
    public void What_the_queue_refuses_is_refused_when_the_publisher_is_opened()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenValueProducer<int>();

        Assert.ThrowsAny<Exception>(() => queue.OpenPublisher<Numbered>());
        Assert.Single(queue.GetStatistics().Producers);
    }

    private static async Task AssertTimesOut(Task<long> publishing)
    {
        Assert.Same(publishing, await Task.WhenAny(publishing, Task.Delay(Generous)));
        await Assert.ThrowsAsync<TimeoutException>(() => publishing);
    }

    [BufferedMessageSource]
    internal sealed partial class Numbered
    {
        public int Thread { get; set; }

        public int Number { get; set; }
    }

    public sealed class Single() : PublisherTests(ProducerMode.Single);

    public sealed class Multiple() : PublisherTests(ProducerMode.Multiple);
}
