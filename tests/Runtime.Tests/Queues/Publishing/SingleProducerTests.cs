using static BufferedMessages.Runtime.Tests.Queues.BatchTests;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>The only producer of a queue writes objects where they are published.</summary>
public sealed class BoundedSingleProducerTests() : SingleProducerTests(QueueMode.Bounded);

/// <inheritdoc cref="BoundedSingleProducerTests"/>
public sealed class DurableSingleProducerTests() : SingleProducerTests(QueueMode.Durable);

/// <inheritdoc cref="BoundedSingleProducerTests"/>
public abstract class SingleProducerTests(QueueMode mode) : IDisposable
{
    private readonly QueueDirectory _directory = new(mode, ProducerMode.Single);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void Messages_of_all_sizes_come_as_they_were_published()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Numbered>();
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");

        // Small ones, and between them such that do not fit into the room that small ones need.
        for (var number = 0; number < 2_000; number++)
        {
            var text = new string((char)('a' + (number % 26)), number % 97 == 0 ? 20_000 : number % 50);
            producer.Publish(new Numbered { Number = number, Text = text });

            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal((number, text), (delivery.Message.Number, delivery.Message.Text.ToString() ?? string.Empty));
            delivery.Commit();
        }

        Assert.False(consumer.TryRead(out _));
    }

    [Fact]
    public void A_message_that_cannot_be_written_leaves_nothing_and_the_producer_goes_on()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Numbered>();
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");
        producer.Publish(new Numbered { Number = 1 });

        Assert.Throws<ArgumentException>(() => producer.Publish(new Numbered { Number = 2, Text = new string('x', 1_000) + "\ud800" }));
        producer.Publish(new Numbered { Number = 3 });

        Assert.Equal([1, 3], ReadNumbers(consumer));
    }

    [Fact]
    public void A_source_that_throws_leaves_nothing_and_the_producer_goes_on()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Acting>();
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");
        producer.Publish(new Acting(1));

        Assert.Throws<TimeoutException>(() => producer.Publish(new Acting(2, () => throw new TimeoutException())));
        producer.Publish(new Acting(3));

        Assert.Equal([1, 3], ReadNumbers(consumer));
    }

    [Fact]
    public void A_consumer_sees_nothing_of_a_message_that_is_being_written()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Acting>();
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");
        producer.Publish(new Acting(1));
        List<int> seen = [-1];

        producer.Publish(new Acting(2, () => seen = ReadNumbers(consumer)));

        Assert.Equal([1], seen);
        Assert.Equal([2], ReadNumbers(consumer));
    }

    [Fact]
    public void Bytes_of_a_message_that_was_given_up_are_no_record_for_the_next_producer()
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");
        using (var producer = queue.OpenProducer<Acting>())
        {
            producer.Publish(new Acting(1));
            Assert.Throws<TimeoutException>(() => producer.Publish(new Acting(2, () => throw new TimeoutException(), filler: 0xFF)));
        }

        using var next = queue.OpenProducer<Acting>();
        next.Publish(new Acting(3));

        Assert.Equal([1, 3], ReadNumbers(consumer));
    }

    private static List<int> ReadNumbers(MessageConsumer<NumberedBufferedMessage> consumer)
    {
        var numbers = new List<int>();
        while (consumer.TryRead(out var delivery))
        {
            numbers.Add(delivery.Message.Number);
            delivery.Commit();
        }

        return numbers;
    }

    private static MessageSchema SchemaOf<TSource>()
        where TSource : IBufferedMessageSource<TSource>
        => TSource.Schema;

    /// <summary>A numbered message that does something while it is written.</summary>
    private sealed class Acting(int number, Action? action = null, byte filler = 0) : IBufferedMessageSource<Acting>
    {
        private readonly Numbered _message = new() { Number = number };

        public static MessageSchema Schema => SchemaOf<Numbered>();

        public int CalculateSize() => _message.CalculateSize();

        public int Write(Span<byte> destination)
        {
            destination[..Math.Min(destination.Length, 1_000)].Fill(filler);
            action?.Invoke();
            return _message.Write(destination);
        }
    }
}
