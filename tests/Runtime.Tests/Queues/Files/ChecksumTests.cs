using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class ChecksumTests : IDisposable
{
    private const int HeaderBytes = RecordWord.HeaderBytes;
    private const int PaddingStart = (int)QueueDirectory.FirstRecord + 64;

    // Padding without this bit is a reservation.
    private const int ReservedBit = 1;

    // Bits 24 to 31 of a state word are required features.
    private const int RequiredFeaturesByte = 3;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Every_flipped_bit_of_a_record_is_reported_at_its_position(bool isGroup)
    {
        // The segment's header, a message, padding that a shorter commit or an abandoned claim left, a message without payload, a message at last.
        byte[][] payloads = [Payload.Of(1, 48), [], Payload.Of(2, 32)];
        var positions = new List<long>();
        using (var queue = Open())
        using (var producer = queue.OpenProducer())
        {
            positions.Add(producer.Publish(payloads[0]));
            producer.Claim(100).Dispose();
            positions.Add(producer.Publish(payloads[1]));
            positions.Add(producer.Publish(payloads[2]));
        }

        var file = _directory.SegmentFile(0);
        var original = File.ReadAllBytes(file);
        var end = (int)positions[2] + HeaderBytes + 32;
        using var again = Open();
        for (var bit = 0; bit < end * 8; bit++)
        {
            var offset = bit / 8;
            if (offset >= PaddingStart + HeaderBytes && offset < positions[1])
            {
                // What stands in padding, behind its header, belongs to nobody.
                continue;
            }

            QueueDirectory.Damage(file, offset, (byte)(original[offset] ^ (1 << (bit % 8))));
            using (var consumer = isGroup ? again.OpenConsumer<RawMessage>("bits", new() { Shared = true }) : again.OpenConsumer<RawMessage>("bits"))
            {
                if (bit == (PaddingStart * 8) + ReservedBit)
                {
                    // Looks like the reservation of a dead producer, and becomes padding again.
                    Assert.InRange(Read(consumer, payloads), 1, payloads.Length);
                    consumer.Dispose();
                    Assert.True(again.DeleteConsumer("bits"));
                    QueueDirectory.Damage(file, offset, original[offset]);
                    continue;
                }

                if (positions.Contains(offset - RequiredFeaturesByte))
                {
                    // Looks like a message of a newer version.
                    var refusal = Assert.Throws<NotSupportedException>(() => Read(consumer, payloads)).Message;
                    Assert.Contains(file, refusal, StringComparison.Ordinal);
                    Assert.Contains($"at position {StartOf(offset)} ", refusal, StringComparison.Ordinal);
                }
                else
                {
                    var exception = Assert.Throws<QueueCorruptedException>(() => Read(consumer, payloads));
                    Assert.Equal(file, exception.File);
                    Assert.Equal(StartOf(offset), exception.Position);
                }
            }

            Assert.True(again.DeleteConsumer("bits"));
            QueueDirectory.Damage(file, offset, original[offset]);
        }

        using var last = again.OpenConsumer<RawMessage>("bits");
        Assert.Equal(3, Read(last, payloads));

        long StartOf(int offset) => positions.Append(0).Append(PaddingStart).Where(start => start <= offset).Max();
    }

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void Every_flipped_bit_of_the_padding_at_a_segments_end_is_reported(ProducerMode producers)
    {
        const int Padding = (int)QueueDirectory.SmallSegment - 32;
        using (var queue = Open(producers))
        using (var producer = queue.OpenProducer())
        {
            using (var claim = producer.Claim(QueueDirectory.LargestPayload))
            {
                claim.Span.Fill(0xFF);
                claim.Commit(Padding - (int)QueueDirectory.FirstRecord - HeaderBytes);
            }

            producer.Publish(Payload.Of(2, 32));
        }

        var file = _directory.SegmentFile(0);
        var original = File.ReadAllBytes(file);
        using var again = Open();
        for (var bit = 0; bit < HeaderBytes * 8; bit++)
        {
            var offset = Padding + (bit / 8);
            QueueDirectory.Damage(file, offset, (byte)(original[offset] ^ (1 << (bit % 8))));
            using var consumer = again.OpenConsumer<RawMessage>("bits", new() { Start = QueueStart.At(0) });
            Assert.True(consumer.TryRead(out var delivery));
            delivery.Commit();
            if (bit is (< 3 or >= 32) and not ReservedBit)
            {
                Assert.Equal(Padding, Assert.Throws<QueueCorruptedException>(() => consumer.TryRead(out _)).Position);
            }

            consumer.Dispose();
            Assert.True(again.DeleteConsumer("bits"));
            QueueDirectory.Damage(file, offset, original[offset]);
        }
    }

    [Fact]
    public void Padding_whose_checksum_is_0_is_not_reported_as_damaged()
    {
        Readers.QueueMaker.MakeZeroChecksum(_directory.Path);
        var header = File.ReadAllBytes(_directory.SegmentFile(0)).AsSpan(Readers.QueueMaker.ZeroChecksumPosition, HeaderBytes);
        Assert.Equal(RecordWord.Padding, RecordWord.State(BitConverter.ToUInt64(header)));
        Assert.Equal(0ul, BitConverter.ToUInt64(header[RecordWord.PayloadBytesOffset..]));
        using var queue = MessageQueue.OpenExisting(_directory.Path);
        using var consumer = queue.OpenConsumer<RawMessage>("all");

        Assert.True(consumer.TryRead(out var before));
        before.Commit();
        Assert.True(consumer.TryRead(out var after));
        Assert.Equal("after the padding"u8, after.Message.Bytes);
        after.Commit();
    }

    [Fact]
    public void A_segments_end_that_a_killed_producer_left_unpadded_is_padded_by_the_next()
    {
        const int End = (int)QueueDirectory.SmallSegment - 64;
        using (var queue = Open(ProducerMode.Single))
        using (var producer = queue.OpenProducer())
        {
            using (var claim = producer.Claim(QueueDirectory.LargestPayload))
            {
                claim.Span.Fill(0xFF);
                claim.Commit(End - (int)QueueDirectory.FirstRecord - HeaderBytes);
            }

            producer.Publish(Payload.Of(2, 100));
        }

        // As a producer leaves the files that is killed after it opened the next segment: no record there, and remains of the claim after the free word here.
        byte[] remains = [.. new byte[sizeof(ulong)], .. Enumerable.Repeat((byte)0xFF, sizeof(ulong))];
        QueueDirectory.Damage(_directory.SegmentFile(0), End, remains);
        QueueDirectory.Damage(_directory.SegmentFile(QueueDirectory.SmallSegment), QueueDirectory.FirstRecord, new byte[128]);

        using var again = Open();
        using var next = again.OpenProducer();
        next.Publish(Payload.Of(2));
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.True(consumer.TryRead(out var first));
        first.Commit();
        Assert.Equal([2], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Remains_of_larger_claims_do_not_disturb()
    {
        using var queue = Open(ProducerMode.Single);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        for (var number = 0; number < 1_000; number++)
        {
            using (var claim = producer.Claim(400))
            {
                claim.Span.Fill(0xFF);
                Payload.Of(number).CopyTo(claim.Span);
                claim.Commit(number % 3 == 0 ? 4 : 100);
            }

            producer.Claim(number % 200).Dispose();
        }

        Assert.Equal(Enumerable.Range(0, 1_000), Payload.ReadNumbers(consumer));
    }

    private static int Read(MessageConsumer<RawMessage> consumer, byte[][] payloads)
    {
        for (var number = 0; number < payloads.Length; number++)
        {
            if (!consumer.TryRead(out var delivery))
            {
                return number;
            }

            using (delivery)
            {
                Assert.Equal(payloads[number], delivery.Message.Bytes);
                delivery.Commit();
            }
        }

        return payloads.Length;
    }

    private MessageQueue Open(ProducerMode? producers = null) => MessageQueue.Open(
        _directory.Path,
        new MessageQueueOptions { SegmentBytes = QueueDirectory.SmallSegment, Flush = FlushMode.Interval, Producers = producers });
}
