namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class WaitStrategyTests : IDisposable
{
    private const int Messages = 3_000;

    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new(QueueMode.Bounded);

    public static TheoryData<WaitStrategy, bool> Ways
    {
        get
        {
            var ways = new TheoryData<WaitStrategy, bool>();
            foreach (var wait in Enum.GetValues<WaitStrategy>())
            {
                ways.Add(wait, false);
                ways.Add(wait, true);
            }

            return ways;
        }
    }

    public void Dispose() => _directory.Dispose();

    // The ring holds fewer messages than are published, so both sides wait.
    [Theory]
    [MemberData(nameof(Ways))]
    public void Each_message_arrives_though_both_sides_wait(WaitStrategy wait, bool shared)
    {
        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer(new ProducerOptions { Wait = wait });
        using var consumer = queue.OpenConsumer<RawMessage>("risk", new() { Wait = wait, Shared = shared });
        var payload = new byte[100];
        var publishing = new Background(
            () =>
            {
                for (var i = 0; i < Messages; i++)
                {
                    BitConverter.TryWriteBytes(payload, i);
                    producer.Publish(payload);
                }
            });
        for (var i = 0; i < Messages; i++)
        {
            Assert.True(consumer.TryRead(out var delivery, Generous));
            Assert.Equal(i, BitConverter.ToInt32(delivery.Message.Bytes));
            delivery.Commit();
        }

        publishing.Join();
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Each_message_arrives_though_both_sides_await(WaitStrategy wait, bool shared)
    {
        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer(new ProducerOptions { Wait = wait });
        using var consumer = queue.OpenConsumer<RawMessage>("risk", new() { Wait = wait, Shared = shared });
        using var cancellation = new CancellationTokenSource();
        var publishing = Task.Run(async () =>
        {
            var payload = new byte[100];
            for (var i = 0; i < Messages; i++)
            {
                BitConverter.TryWriteBytes(payload, i);
                await producer.PublishAsync(payload, Generous, cancellationToken: cancellation.Token);
            }
        });
        for (var i = 0; i < Messages; i++)
        {
            // The time is that of one message: all of them take longer on a busy machine.
            cancellation.CancelAfter(Generous);
            var delivery = await consumer.ReadAsync(cancellation.Token);
            Assert.Equal(i, BitConverter.ToInt32(delivery.Message.Bytes));
            delivery.Commit();
        }

        await publishing;
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_wait_ends_by_its_time_by_its_token_and_by_Dispose(WaitStrategy wait, bool shared)
    {
        using var queue = _directory.Open();
        var consumer = queue.OpenConsumer<RawMessage>("risk", new() { Wait = wait, Shared = shared });

        Assert.False(consumer.TryRead(out _, TimeSpan.FromMilliseconds(20)));

        using var cancellation = new CancellationTokenSource(TimeSpan.FromMilliseconds(20));
        Assert.Throws<OperationCanceledException>(() => consumer.TryRead(out _, Timeout.InfiniteTimeSpan, cancellation.Token));

        var waiting = new Background(() => Assert.Throws<ObjectDisposedException>(() => consumer.TryRead(out _, Timeout.InfiniteTimeSpan)));
        Thread.Sleep(20);
        consumer.Dispose();
        waiting.Join();
    }

    [Fact]
    public void Options_without_a_valid_value_are_refused_and_open_nothing()
    {
        using var queue = _directory.Open();

        Assert.Throws<ArgumentOutOfRangeException>(() => queue.OpenConsumer<RawMessage>("risk", new() { MaxDelay = TimeSpan.FromTicks(-1) }));
        Assert.Throws<ArgumentOutOfRangeException>(() => queue.OpenConsumer<RawMessage>("risk", new() { Wait = (WaitStrategy)3 }));
        Assert.Throws<ArgumentOutOfRangeException>(() => queue.OpenProducer(new ProducerOptions { Wait = (WaitStrategy)(-1) }));
        Assert.Empty(queue.GetStatistics().Consumers);
    }
}
