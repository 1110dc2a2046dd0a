using System.Buffers.Binary;
using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

public abstract class PublishAndReadTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void Messages_arrive_once_and_in_order_over_many_segments()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");

        Payload.PublishNumbers(producer, 0, 20_000);

        Assert.Equal(Enumerable.Range(0, 20_000), Payload.ReadNumbers(consumer));
        Assert.Equal(_directory.IsBounded ? 0 : 10, Directory.GetFiles(_directory.Path, "*.segment").Length);
    }

    [Fact]
    public void Messages_of_many_lengths_arrive_unchanged()
    {
        using var queue = _directory.Open(segmentBytes: 256 * 1024);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var lengths = Enumerable.Range(0, 2_050).Concat(Enumerable.Range(0, 68).Select(i => 2_050 + (i * 1_000) + i)).Append(70_000);
        foreach (var length in lengths)
        {
            var payload = Payload.Of(length, length);
            producer.Publish(payload);

            Assert.True(consumer.TryRead(out var delivery));
            Assert.True(delivery.Message.Bytes.SequenceEqual(payload), $"length {length}");
            delivery.Commit();
        }
    }

    [Fact]
    public void A_message_may_fill_a_segment_to_its_last_byte()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var largest = Payload.Of(1, producer.MaxMessageBytes);

        producer.Publish("before"u8);
        producer.Publish(largest);
        producer.Publish("behind"u8);

        Assert.Equal(QueueDirectory.LargestPayload, producer.MaxMessageBytes);
        foreach (var expected in new[] { "before"u8.ToArray(), largest, "behind"u8.ToArray() })
        {
            Assert.True(consumer.TryRead(out var delivery));
            Assert.True(delivery.Message.Bytes.SequenceEqual(expected));
            delivery.Commit();
        }
    }

    [Fact]
    public void A_message_larger_than_a_segment_is_refused_and_says_the_limit()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();

        var exception = Assert.Throws<MessageTooLargeException>(() => producer.Publish(new byte[QueueDirectory.LargestPayload + 1]));

        Assert.Equal(QueueDirectory.LargestPayload, exception.Limit);
        Assert.Contains("SegmentBytes", exception.Message, StringComparison.Ordinal);
        Assert.Equal(QueueDirectory.FirstRecord, producer.Publish("still usable"u8));
    }

    [Fact]
    public void A_negative_claim_is_refused()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();

        Assert.Equal("maxBytes", Assert.Throws<ArgumentOutOfRangeException>(() => producer.Claim(-1)).ParamName);
        Assert.Equal(QueueDirectory.FirstRecord, producer.Publish("still usable"u8));
    }

    [Fact]
    public void A_record_has_the_bytes_of_the_protocol()
    {
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            producer.Publish("hello, mapped world"u8);
        }

        var bytes = File.ReadAllBytes(_directory.SegmentFile(0))[SegmentHeader.Bytes..];
        var word = BinaryPrimitives.ReadUInt64LittleEndian(bytes);
        Assert.Equal(2ul, word & 7);
        Assert.Equal(1ul, (word >> 3) & 0x1FFF);
        Assert.Equal(0ul, (word >> 16) & 0xFFFF);
        Assert.Equal(48ul, word >> 32);
        Assert.Equal(19u, BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(8)));
        Assert.Equal(0u, BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(12)));
        Assert.Equal("hello, mapped world"u8, bytes.AsSpan(16, 19));
        if (_directory.IsBounded)
        {
            Assert.Equal(0ul, BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(48)) & 7);
        }
        else
        {
            Assert.Equal(-1, bytes.AsSpan(48).IndexOfAnyExcept((byte)0));
        }
    }

    [Fact]
    public void What_a_claim_does_not_use_is_given_back_or_skipped_even_if_it_was_written_to()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using (var claim = producer.Claim(10_000))
        {
            claim.Span.Fill(0xFF);
            Assert.Equal(QueueDirectory.FirstRecord, claim.Commit(5));
        }

        Assert.False(TakeTwo(consumer));
        Assert.Equal(QueueDirectory.FirstRecord + (_directory.IsSingle ? 32 : 10_016), producer.Publish("next"u8));
        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal("next"u8, delivery.Message.Bytes);
        delivery.Dispose();

        static bool TakeTwo(MessageConsumer<RawMessage> consumer)
        {
            Assert.True(consumer.TryRead(out var first));
            Assert.Equal(5, first.Message.Bytes.Length);
            first.Commit();
            return consumer.TryRead(out _);
        }
    }

    [Fact]
    public void A_claim_that_is_not_committed_is_never_seen()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using (var claim = producer.Claim(100))
        {
            claim.Span.Fill(0xFF);
        }

        producer.Publish(Payload.Of(7));

        Assert.Equal([7], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_claim_is_16_aligned_and_not_seen_before_its_commit()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Publish("x"u8);
        using var claim = producer.Claim(8);

        Assert.Equal(0, AddressOf(claim.Span) % 16);
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Commit();
        Assert.False(consumer.TryRead(out _));

        static unsafe long AddressOf(Span<byte> span)
        {
            fixed (byte* start = span)
            {
                return (long)start;
            }
        }
    }

    [Fact]
    public void Committing_more_than_was_claimed_is_refused_and_leaves_the_claim_open()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var claim = producer.Claim(8);
        try
        {
            claim.Commit(9);
            Assert.Fail("The commit was accepted.");
        }
        catch (ArgumentOutOfRangeException exception)
        {
            Assert.Contains("8 bytes", exception.Message, StringComparison.Ordinal);
            Assert.Equal("usedBytes", exception.ParamName);
        }

        Assert.Equal(QueueDirectory.FirstRecord, claim.Commit(8));
    }

    [Fact]
    public void Publish_and_deliveries_name_the_same_positions()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var published = Payload.PublishNumbers(producer, 0, 5_000);
        var read = new List<long>();
        while (consumer.TryRead(out var delivery))
        {
            read.Add(delivery.Position);
            delivery.Commit();
        }

        Assert.Equal(published, read);
    }

    [Fact]
    public void Consumers_of_different_names_each_see_everything()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var first = queue.OpenConsumer<RawMessage>("first");
        using var second = queue.OpenConsumer<RawMessage>("second");
        Payload.PublishNumbers(producer, 0, 10);

        Assert.Equal(Enumerable.Range(0, 10), Payload.ReadNumbers(first));
        Assert.Equal(Enumerable.Range(0, 10), Payload.ReadNumbers(second));
    }

    public sealed class DurableSingle() : PublishAndReadTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : PublishAndReadTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : PublishAndReadTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : PublishAndReadTests(QueueMode.Bounded, ProducerMode.Multiple);
}
