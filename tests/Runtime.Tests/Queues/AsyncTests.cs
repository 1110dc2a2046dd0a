using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Waits without a thread each, for messages and for room: by futex and by polling.</summary>
[Collection(ProcessWideSwitches.Name)]
public abstract class AsyncTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new(QueueMode.Bounded, ProducerMode.Multiple);

    protected AsyncTests(bool polling) => AppContext.SetSwitch(WordWait.PollingSwitch, polling);

    public void Dispose()
    {
        AppContext.SetSwitch(WordWait.PollingSwitch, false);
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task A_wait_for_a_message_that_is_there_is_complete_at_once()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Publish(Payload.Of(1));

        var wait = consumer.WaitToReadAsync(TimeSpan.Zero);

        Assert.True(wait.IsCompleted);
        Assert.True(await wait);
        Assert.Equal([1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public async Task A_wait_completes_when_a_message_comes()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        for (var i = 0; i < 100; i++)
        {
            var wait = consumer.WaitToReadAsync(Generous).AsTask();
            Assert.False(wait.IsCompleted);
            producer.Publish(Payload.Of(i));
            Assert.True(await wait);
            Assert.Equal([i], Payload.ReadNumbers(consumer));
        }
    }

    [Fact]
    public async Task A_member_that_waited_has_taken_the_message_and_no_other_gets_it()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        using var other = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        var wait = member.WaitToReadAsync(Generous).AsTask();
        producer.Publish(Payload.Of(1));

        Assert.True(await wait);
        Assert.False(other.TryRead(out _));
        Assert.Equal([1], Payload.ReadNumbers(member));
    }

    [Fact]
    public async Task A_member_that_waited_and_is_closed_leaves_the_message_to_another_with_the_flag()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var other = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        using (var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true }))
        {
            var wait = member.WaitToReadAsync(Generous).AsTask();
            producer.Publish(Payload.Of(1));
            Assert.True(await wait);
        }

        Assert.True(other.TryRead(out var delivery, Generous));
        Assert.True(delivery.IsRedelivery);
        delivery.Commit();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(120)]
    public async Task A_wait_ends_when_its_time_is_over(int milliseconds)
    {
        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.False(await consumer.WaitToReadAsync(TimeSpan.FromMilliseconds(milliseconds)));

        Fill(producer);
        await Assert.ThrowsAsync<TimeoutException>(async () => await producer.PublishAsync(Payload.Of(1), TimeSpan.FromMilliseconds(milliseconds)));
    }

    [Fact]
    public async Task A_negative_timeout_is_refused()
    {
        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Fill(producer);

        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(async () => await producer.PublishAsync(Payload.Of(1), TimeSpan.FromMilliseconds(-2)));
        Payload.ReadNumbers(consumer);
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(async () => await consumer.WaitToReadAsync(TimeSpan.FromMilliseconds(-2)));
    }

    [Fact]
    public async Task Cancelling_ends_a_wait_and_names_its_token()
    {
        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var cancellation = new CancellationTokenSource();
        var reading = consumer.WaitToReadAsync(Timeout.InfiniteTimeSpan, cancellation.Token).AsTask();
        cancellation.Cancel();
        Assert.Equal(cancellation.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading)).CancellationToken);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await consumer.WaitToReadAsync(Timeout.InfiniteTimeSpan, cancellation.Token));

        var published = Fill(producer);
        using var second = new CancellationTokenSource();
        var publishing = producer.PublishAsync(Payload.Of(-1), second.Token).AsTask();
        second.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => publishing);
        Assert.Equal(Enumerable.Range(0, published), Payload.ReadNumbers(consumer));
    }

    [Fact]
    public async Task Disposing_ends_a_wait()
    {
        using var queue = _directory.Open(slots: 2);
        var producer = queue.OpenProducer();
        var consumer = queue.OpenConsumer<RawMessage>("all");
        var reading = consumer.WaitToReadAsync(Timeout.InfiniteTimeSpan).AsTask();
        consumer.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => reading);

        Fill(producer);
        var publishing = producer.PublishAsync(Payload.Of(1)).AsTask();
        producer.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => publishing);
        Assert.DoesNotContain(queue.GetStatistics().Producers, shown => shown.IsAlive);
    }

    [Fact]
    public async Task A_wait_survives_the_dispose_of_the_queue_handle()
    {
        var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var wait = consumer.WaitToReadAsync(Generous).AsTask();
        queue.Dispose();

        producer.Publish(Payload.Of(1));

        Assert.True(await wait);
    }

    [Fact]
    public async Task A_participant_that_waits_is_in_use()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var wait = consumer.WaitToReadAsync(Generous).AsTask();

        Assert.Throws<InvalidOperationException>(() => consumer.TryRead(out _));
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await consumer.WaitToReadAsync(Generous));
        producer.Publish(Payload.Of(1));
        Assert.True(await wait);
    }

    [Fact]
    public async Task A_producer_that_waits_for_room_publishes_when_there_is_some()
    {
        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var published = Fill(producer);
        var publishing = producer.PublishAsync(Payload.Of(published)).AsTask();
        Assert.False(publishing.IsCompleted);
        Assert.Equal(1, queue.GetStatistics().SpaceWaits);

        Assert.Equal(Enumerable.Range(0, published), Payload.ReadNumbers(consumer).Take(published));

        var position = await publishing;
        Assert.Equal(position, queue.GetStatistics().PublishedPosition - 32);
    }

    [Fact]
    public async Task A_value_waits_for_room_without_a_timeout_until_there_is_some_or_it_is_cancelled()
    {
        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenValueProducer<int>();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var published = Fill(producer);
        using var cancellation = new CancellationTokenSource();
        var cancelled = producer.PublishAsync(-1, cancellation.Token).AsTask();
        cancellation.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled);

        var publishing = producer.PublishAsync(published).AsTask();
        Assert.False(publishing.IsCompleted);
        Assert.Equal(Enumerable.Range(0, published), Payload.ReadNumbers(consumer).Take(published));
        var position = await publishing;
        Assert.Equal(position, queue.GetStatistics().PublishedPosition - 32);
    }

    private static int Fill(MessageProducer producer)
    {
        var published = 0;
        while (producer.TryPublish(Payload.Of(published), out _))
        {
            published++;
        }

        return published;
    }

    public sealed class ByFutex() : AsyncTests(polling: false);

    public sealed class ByPolling() : AsyncTests(polling: true);
}
