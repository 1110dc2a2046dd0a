namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A publisher serves all threads.</summary>
public abstract partial class PublisherTests(ProducerMode producers) : IDisposable
{
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

    [BufferedMessageSource]
    internal sealed partial class Numbered
    {
        public int Thread { get; set; }

        public int Number { get; set; }
    }

    public sealed class Single() : PublisherTests(ProducerMode.Single);

    public sealed class Multiple() : PublisherTests(ProducerMode.Multiple);
}
