namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Each wait takes a timeout that is longer than the 24.8 days that a wait of the system can last.</summary>
public sealed class LongTimeoutTests
{
    private const int Days = 25;

    // About the longest time span.
    private const int MostDays = 10_675_199;

    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    [Theory]
    [InlineData(Days)]
    [InlineData(MostDays)]
    public async Task A_consumer_waits_for_a_message(int days)
    {
        var timeout = TimeSpan.FromDays(days);
        using var directory = new QueueDirectory();
        using var queue = directory.Open();
        using var producer = queue.OpenProducer();
        foreach (var wait in Enum.GetValues<WaitStrategy>())
        {
            using var consumer = queue.OpenConsumer<RawMessage>($"{wait}", new() { Wait = wait, Start = QueueStart.Latest });
            var reading = new Background(() =>
            {
                Assert.True(consumer.TryRead(out var delivery, timeout));
                delivery.Commit();
            });
            producer.Publish("one"u8);
            reading.Join();
            var awaiting = consumer.WaitToReadAsync(timeout).AsTask();
            producer.Publish("two"u8);

            Assert.True(await awaiting.WaitAsync(Generous));
        }
    }

    [Theory]
    [InlineData(Days)]
    [InlineData(MostDays)]
    public async Task A_message_is_waited_for_until_it_is_on_the_disk(int days)
    {
        var timeout = TimeSpan.FromDays(days);
        using var directory = new QueueDirectory();
        using var queue = directory.Open();
        using var producer = queue.OpenProducer();

        Assert.True(queue.WaitForDurable(producer.Publish("one"u8), timeout));
        Assert.True(await queue.WaitForDurableAsync(producer.Publish("two"u8), timeout));
    }

    [Theory]
    [InlineData(Days)]
    [InlineData(MostDays)]
    public async Task A_publisher_waits_for_room_and_for_a_producer(int days)
    {
        var timeout = TimeSpan.FromDays(days);
        using var directory = new QueueDirectory(QueueMode.Bounded, ProducerMode.Single);
        using var queue = directory.Open(slots: 2);
        using var publisher = queue.OpenPublisher<PublisherTests.Numbered>();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var message = new PublisherTests.Numbered();
        while (publisher.TryPublish(message, out _))
        {
        }

        // The first has the only producer while it waits for room. The others wait for that producer.
        var first = publisher.PublishAsync(message, timeout).AsTask();
        var second = publisher.PublishAsync(message, timeout).AsTask();
        var third = Task.Run(() => publisher.TryPublish(message, out _, timeout));
        Assert.False(publisher.TryPublish(message, out _));
        while (consumer.TryRead(out var delivery))
        {
            delivery.Commit();
        }

        Assert.True(await first.WaitAsync(Generous) > 0);
        Assert.True(await second.WaitAsync(Generous) > 0);
        Assert.True(await third.WaitAsync(Generous));
    }
}
