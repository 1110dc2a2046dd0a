using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

[Collection(ProcessWideSwitches.Name)]
public sealed class WaitingTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new();

    public void Dispose()
    {
        AppContext.SetSwitch(WordWait.PollingSwitch, false);
        _directory.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_waiting_consumer_gets_each_message_of_a_slow_producer(bool polling)
    {
        AppContext.SetSwitch(WordWait.PollingSwitch, polling);
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        using var taken = new SemaphoreSlim(0);
        var reading = new Background(
            () =>
            {
                for (var i = 0; i < 200; i++)
                {
                    Assert.True(consumer.TryRead(out var delivery, Generous));
                    Assert.Equal(i, Payload.Number(delivery.Message.Bytes));
                    delivery.Commit();
                    taken.Release();
                }
            });
        for (var i = 0; i < 200; i++)
        {
            producer.Publish(Payload.Of(i));
            Assert.True(taken.Wait(Generous));
        }

        reading.Join();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(150)]
    public void A_wait_ends_when_its_time_is_over(int milliseconds)
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");

        Assert.False(consumer.TryRead(out _, TimeSpan.FromMilliseconds(milliseconds)));
        Assert.False(consumer.TryRead(out _));
    }

    [Fact]
    public void A_negative_timeout_is_refused()
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");

        Assert.Throws<ArgumentOutOfRangeException>(() => consumer.TryRead(out _, TimeSpan.FromMilliseconds(-2)));
        Assert.False(consumer.TryRead(out _, TimeSpan.Zero));
    }

    [Fact]
    public void A_negative_timeout_is_refused_while_there_is_a_message_too_and_leaves_the_delivery_open()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Payload.PublishNumbers(producer, 1, 2);
        Assert.True(consumer.TryRead(out var delivery));

        Assert.Throws<ArgumentOutOfRangeException>(() => consumer.TryRead(out _, TimeSpan.FromMilliseconds(-2)));
        delivery.Commit();

        Assert.Equal([2], Payload.ReadNumbers(consumer));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Cancelling_ends_a_wait(bool polling)
    {
        AppContext.SetSwitch(WordWait.PollingSwitch, polling);
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        using var cancellation = new CancellationTokenSource(TimeSpan.FromMilliseconds(20));

        Assert.ThrowsAny<OperationCanceledException>(() => consumer.TryRead(out _, Timeout.InfiniteTimeSpan, cancellation.Token));
        Assert.False(consumer.TryRead(out _));
    }

    [Fact]
    public void Cancelling_ends_a_loop_that_waits()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        using var cancellation = new CancellationTokenSource();
        Payload.PublishNumbers(producer, 0, 2);
        var seen = 0;

        Assert.ThrowsAny<OperationCanceledException>(() =>
        {
            foreach (var _ in consumer.ReadAll(cancellation.Token))
            {
                if (++seen == 2)
                {
                    cancellation.CancelAfter(TimeSpan.FromMilliseconds(20));
                }
            }
        });

        Assert.False(consumer.TryRead(out _), "The loop had asked for the next message, so the last one is committed.");
    }

    [Fact]
    public void Cancelling_ends_a_loop_that_never_runs_dry()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        using var cancellation = new CancellationTokenSource();
        var seen = 0;

        Assert.ThrowsAny<OperationCanceledException>(() =>
        {
            producer.Publish("x"u8);
            foreach (var _ in consumer.ReadAll(cancellation.Token))
            {
                producer.Publish("x"u8);
                if (++seen == 100)
                {
                    cancellation.Cancel();
                }
            }
        });

        Assert.Equal(100, seen);
    }

    [Fact]
    public void A_cancelled_token_ends_a_loop_before_its_first_message()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        producer.Publish(Payload.Of(1));

        Assert.ThrowsAny<OperationCanceledException>(() =>
        {
            foreach (var _ in consumer.ReadAll(new CancellationToken(canceled: true)))
            {
                Assert.Fail("A message was delivered.");
            }
        });

        Assert.Equal([1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_consumer_waits_for_the_first_producer()
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        var reading = new Background(() =>
        {
            Assert.True(consumer.TryRead(out var delivery, Generous));
            delivery.Commit();
        });
        using var producer = queue.OpenProducer();
        producer.Publish("first"u8);

        reading.Join();
    }

    [Fact]
    public void Eight_waiting_consumers_are_all_woken()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var consumers = Enumerable.Range(0, 8).Select(i => queue.OpenConsumer<RawMessage>($"{i}")).ToList();
        var reading = consumers.Select(consumer => new Background(
            () =>
            {
                var sum = 0;
                while (sum < 4_950)
                {
                    Assert.True(consumer.TryRead(out var delivery, Generous));
                    sum += Payload.Number(delivery.Message.Bytes);
                    delivery.Commit();
                }

                Assert.Equal(4_950, sum);
            })).ToArray();
        for (var i = 0; i < 100; i++)
        {
            producer.Publish(Payload.Of(i));
            Thread.Yield();
        }

        Assert.All(reading, thread => thread.Join());
        consumers.ForEach(consumer => consumer.Dispose());
    }

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void A_publish_does_not_fail_while_no_process_can_tell_whether_a_waiter_is_dead(ProducerMode producers)
    {
        using var directory = new QueueDirectory(producers: producers);
        using var queue = directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var handle = QueueHandle.Open(directory.Path);

        // As a consumer that died while it waited leaves them.
        handle.Control.Header.Waiters = (1ul << 32) + WakeSignal.OneNow;
        handle.Control.Participant(2).Waiting = ParticipantSlot.WaitsForRecord;
        handle.Release();
        Directory.Delete(Path.Combine(directory.Path, "leases"), recursive: true);

        Payload.PublishNumbers(producer, 0, 3_000);

        Assert.Equal(Enumerable.Range(0, 3_000), Payload.ReadNumbers(consumer));
    }
}
