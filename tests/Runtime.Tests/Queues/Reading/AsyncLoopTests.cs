namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Deliveries that are held across awaits, one by one and in loops.</summary>
public abstract class AsyncLoopTests(QueueMode mode, bool isShared) : IDisposable
{
    private readonly QueueDirectory _directory = new(mode);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task A_loop_gives_every_message_and_commits_each_when_the_next_is_asked_for()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = Open(queue);
        Payload.PublishNumbers(producer, 0, 3_000);
        var numbers = new List<int>();

        await foreach (var delivery in consumer.ReadAllAsync())
        {
            var number = Payload.Number(delivery.Message.Bytes);
            numbers.Add(number);
            if (number % 100 == 0)
            {
                await Task.Yield();
                Assert.Equal(number, Payload.Number(delivery.Message.Bytes));
            }

            if (numbers.Count == 3_000)
            {
                break;
            }
        }

        Assert.Equal(Enumerable.Range(0, 3_000), numbers);
        Assert.Equal([2_999], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public async Task A_commit_before_break_loses_nothing_and_repeats_nothing()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = Open(queue);
        Payload.PublishNumbers(producer, 0, 3);

        await foreach (var delivery in consumer.ReadAllAsync())
        {
            await Task.Yield();
            delivery.Commit();
            break;
        }

        Assert.Equal([1, 2], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public async Task A_loop_waits_for_messages_without_a_thread()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = Open(queue);
        var loop = LoopAsync();
        for (var i = 0; i < 50; i++)
        {
            await Task.Delay(1);
            producer.Publish(Payload.Of(i));
        }

        await loop;

        async Task LoopAsync()
        {
            // A loop that held the thread would wait for messages that nothing publishes.
            using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(60));
            var expected = 0;
            await foreach (var delivery in consumer.ReadAllAsync(limit.Token))
            {
                Assert.Equal(expected, Payload.Number(delivery.Message.Bytes));
                if (++expected == 50)
                {
                    break;
                }
            }
        }
    }

    [Fact]
    public async Task A_delivery_is_held_awaited_and_committed_later()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = Open(queue);
        var reading = consumer.ReadAsync();
        Assert.False(reading.IsCompleted);
        producer.Publish(Payload.Of(7));

        var delivery = await reading;
        await Task.Delay(10);
        Assert.Equal(7, Payload.Number(delivery.Message.Bytes));
        delivery.Commit();

        Assert.Empty(Payload.ReadNumbers(consumer));
    }

    [Fact]
    public async Task A_read_that_is_refused_fails_by_its_task()
    {
        using var queue = _directory.Open();
        var consumer = Open(queue);
        consumer.Dispose();

        var reading = consumer.ReadAsync().AsTask();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => reading);
    }

    [Fact]
    public async Task Either_token_ends_a_loop()
    {
        using var queue = _directory.Open();
        using var consumer = Open(queue);
        using var first = new CancellationTokenSource(TimeSpan.FromMilliseconds(30));
        using var second = new CancellationTokenSource();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await Run(consumer.ReadAllAsync(first.Token).WithCancellation(second.Token)));
        first.Dispose();
        second.CancelAfter(TimeSpan.FromMilliseconds(30));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await Run(consumer.ReadAllAsync().WithCancellation(second.Token)));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await consumer.ReadAsync(second.Token));
        Assert.False(consumer.TryRead(out _));
    }

    [Fact]
    public async Task Cancelling_in_the_body_ends_the_loop_at_the_next_message()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = Open(queue);
        Payload.PublishNumbers(producer, 0, 3);
        using var cancellation = new CancellationTokenSource();
        var seen = 0;

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (var delivery in consumer.ReadAllAsync(cancellation.Token))
            {
                seen++;
                await cancellation.CancelAsync();
            }
        });

        Assert.Equal(1, seen);
        Assert.Equal([1, 2], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public async Task Disposing_the_consumer_ends_a_waiting_loop_and_a_waiting_read()
    {
        using var queue = _directory.Open();
        var looping = Open(queue, "loop");
        var reading = Open(queue, "read");
        var loop = Run(looping.ReadAllAsync().ConfigureAwait(false));
        var read = reading.ReadAsync().AsTask();
        await Task.Delay(30);

        looping.Dispose();
        reading.Dispose();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => loop);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => read);
        using var again = Open(queue, "loop");
        Assert.False(again.TryRead(out _));
    }

    [Fact]
    public async Task A_delivery_that_was_kept_from_a_loop_is_closed_when_the_loop_is()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = Open(queue);
        Payload.PublishNumbers(producer, 0, 2);
        Delivery<RawMessage> kept = default;
        await foreach (var delivery in consumer.ReadAllAsync())
        {
            kept = delivery;
            break;
        }

        Assert.Throws<ObjectDisposedException>(() => kept.Message.Bytes.Length);
        Assert.Throws<ObjectDisposedException>(() => kept.Commit());
        Assert.Equal([0, 1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public async Task Messages_that_are_there_at_once_cost_no_allocation()
    {
        const int Warm = 2_000;
        const int Measured = 20_000;
        using var queue = _directory.Open(segmentBytes: 1024 * 1024);
        using var producer = queue.OpenProducer();
        using var consumer = Open(queue);
        Payload.PublishNumbers(producer, 0, 2 * (Warm + Measured));
        var (count, before, after) = (0, 0L, 0L);

        await foreach (var delivery in consumer.ReadAllAsync())
        {
            if (++count == Warm)
            {
                before = GC.GetAllocatedBytesForCurrentThread();
            }

            if (count == Warm + Measured)
            {
                after = GC.GetAllocatedBytesForCurrentThread();
                break;
            }
        }

        // A collection in another test counts a few KB; an allocation per message would be 24 bytes each at least.
        Assert.True(after - before < Measured, $"{after - before} bytes");
        for (var i = 0; i < Warm + Measured; i++)
        {
            before = i == Warm ? GC.GetAllocatedBytesForCurrentThread() : before;
            (await consumer.ReadAsync()).Commit();
        }

        after = GC.GetAllocatedBytesForCurrentThread();
        Assert.True(after - before < Measured, $"{after - before} bytes");
    }

    private static async Task Run(System.Runtime.CompilerServices.ConfiguredCancelableAsyncEnumerable<Delivery<RawMessage>> deliveries)
    {
        await foreach (var delivery in deliveries)
        {
            delivery.Commit();
        }
    }

    private MessageConsumer<RawMessage> Open(MessageQueue queue, string name = "risk") => queue.OpenConsumer<RawMessage>(name, new() { Shared = isShared });

    public sealed class DurableExclusive() : AsyncLoopTests(QueueMode.Durable, isShared: false);

    public sealed class DurableGroup() : AsyncLoopTests(QueueMode.Durable, isShared: true);

    public sealed class BoundedExclusive() : AsyncLoopTests(QueueMode.Bounded, isShared: false);

    public sealed class BoundedGroup() : AsyncLoopTests(QueueMode.Bounded, isShared: true);
}
