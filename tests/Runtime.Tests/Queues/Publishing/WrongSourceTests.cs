using System.Buffers;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A type that a user wrote by hand may give a wrong size. No byte outside of the message's room is read or written then, and nothing is published.</summary>
public sealed class WrongSourceTests
{
    public static TheoryData<QueueMode, ProducerMode, bool, int> Queues()
    {
        var data = new TheoryData<QueueMode, ProducerMode, bool, int>();
        foreach (var mode in Enum.GetValues<QueueMode>())
        {
            foreach (var producers in Enum.GetValues<ProducerMode>())
            {
                foreach (var written in new[] { -1, -17, int.MinValue, int.MaxValue, int.MaxValue - 15 })
                {
                    data.Add(mode, producers, true, written);
                    data.Add(mode, producers, false, written);
                }
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Queues))]
    public void A_source_that_says_it_wrote_what_cannot_be_publishes_nothing(QueueMode mode, ProducerMode producers, bool isBatch, int written)
    {
        using var directory = new QueueDirectory(mode, producers);
        using var queue = directory.Open();
        using var producer = queue.OpenProducer<Handmade>();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Publish(new Handmade(8, 8));

        var exception = Assert.Throws<InvalidOperationException>(() =>
            isBatch ? producer.PublishAll([new Handmade(8, 8), new Handmade(8, written)]) : producer.Publish(new Handmade(8, written)));
        producer.Publish(new Handmade(16, 16));

        Assert.Contains($"{nameof(Handmade)}.Write returned {written}", exception.Message, StringComparison.Ordinal);
        Assert.Equal([8, 16], Lengths(consumer));
    }

    [Theory]
    [MemberData(nameof(Queues))]
    public void A_source_that_calculates_a_wrong_size_is_published_as_it_was_written_or_not_at_all(QueueMode mode, ProducerMode producers, bool isBatch, int size)
    {
        using var directory = new QueueDirectory(mode, producers);
        using var queue = directory.Open();
        using var producer = queue.OpenProducer<Handmade>();
        using var consumer = queue.OpenConsumer<RawMessage>("all");

        var exception = Record.Exception(() => isBatch ? producer.PublishAll([new Handmade(8, 8), new Handmade(size, 24)]) : producer.Publish(new Handmade(size, 24)));
        producer.Publish(new Handmade(16, 16));

        int[] published = exception is not null ? [] : isBatch ? [8, 24] : [24];
        Assert.True(exception is null or ArgumentException or InvalidOperationException or MessageTooLargeException, $"{exception}");
        Assert.Equal([.. published, 16], Lengths(consumer));
    }

    [Theory]
    [InlineData(QueueMode.Durable, ProducerMode.Single)]
    [InlineData(QueueMode.Durable, ProducerMode.Multiple)]
    [InlineData(QueueMode.Bounded, ProducerMode.Single)]
    [InlineData(QueueMode.Bounded, ProducerMode.Multiple)]
    public void A_batch_of_a_source_that_calculates_a_negative_size_publishes_nothing(QueueMode mode, ProducerMode producers)
    {
        using var directory = new QueueDirectory(mode, producers);
        using var queue = directory.Open();
        using var producer = queue.OpenProducer<Handmade>();
        using var consumer = queue.OpenConsumer<RawMessage>("all");

        // With the header of a record the first two are 0 bytes.
        foreach (var size in new[] { -16, -23, -1, int.MinValue })
        {
            var exception = Assert.Throws<InvalidOperationException>(() => producer.PublishAll([new Handmade(size, 8)]));
            Assert.Contains($"{nameof(Handmade)}.CalculateSize returned {size}", exception.Message, StringComparison.Ordinal);
        }

        producer.PublishAll([new Handmade(16, 16)]);

        Assert.Equal([16], Lengths(consumer));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MaxValue)]
    public void A_pooled_message_is_not_made_of_a_source_that_says_it_wrote_what_cannot_be(int written)
    {
        Assert.Throws<InvalidOperationException>(() => new Handmade(8, written).WriteTo(new ArrayBufferWriter<byte>()));
        Assert.Throws<InvalidOperationException>(() => new Handmade(8, written).WriteTo(new MemoryStream()));

        // The memory of the thread is free again.
        Assert.Equal(8, new Handmade(8, 8).WriteTo(new ArrayBufferWriter<byte>()));
    }

    private static List<int> Lengths(MessageConsumer<RawMessage> consumer)
    {
        var lengths = new List<int>();
        while (consumer.TryRead(out var delivery))
        {
            lengths.Add(delivery.Message.Bytes.Length);
            delivery.Commit();
        }

        return lengths;
    }

    private static MessageSchema SchemaOf<TSource>()
        where TSource : IBufferedMessageSource<TSource>
        => TSource.Schema;

    /// <summary>A message of zeros.</summary>
    /// <param name="size">The size that it calculates.</param>
    /// <param name="written">The number of bytes that it says it wrote.</param>
    private sealed class Handmade(int size, int written) : IBufferedMessageSource<Handmade>
    {
        public static MessageSchema Schema => SchemaOf<BatchTests.Numbered>();

        public int CalculateSize() => size;

        public int Write(Span<byte> destination)
        {
            destination[..(written is >= 0 and <= 64 ? written : 0)].Clear();
            return written;
        }
    }
}
