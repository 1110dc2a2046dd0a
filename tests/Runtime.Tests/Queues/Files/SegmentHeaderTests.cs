using System.Buffers.Binary;
using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>What a segment says about itself, and what follows if that does not fit the queue.</summary>
public abstract class SegmentHeaderTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    // Two segments hold them.
    private const int Numbers = QueueDirectory.NumbersInSegment + 10;

    private readonly QueueDirectory _directory = new(mode, producers);
    private readonly QueueDirectory _other = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        _other.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void The_header_has_the_bytes_of_the_format()
    {
        var before = DateTime.UtcNow.Ticks;
        using (var queue = _directory.Open())
        using (var producer = queue.OpenValueProducer<long>())
        {
            for (var number = 0L; number < Numbers; number++)
            {
                producer.Publish(number);
            }
        }

        var after = DateTime.UtcNow.Ticks;
        var control = File.ReadAllBytes(_directory.ControlFile);
        for (var segment = 0; segment < 2; segment++)
        {
            var bytes = QueueFormat.ReadSegment(_directory, segment);

            // Padding of 128 bytes, without a writer.
            Assert.Equal([3, 0, 0, 0, 128, 0, 0, 0], bytes[..8]);
            Assert.Equal(0ul, BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(8)));
            Assert.Equal("BMS1"u8, bytes.AsSpan(16, 4));
            Assert.Equal([1, 0, 128, 0], bytes[20..24]);
            Assert.Equal(new byte[8], bytes[24..32]);
            Assert.Equal(control[1552..1568], bytes[32..48]);
            Assert.Equal(segment, BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(48)));
            Assert.Equal(control[72..80], bytes[64..72]);
            Assert.NotEqual(new byte[8], bytes[64..72]);
            Assert.Equal([3, 0, 0, 0], bytes[72..76]);
            Assert.Equal(new byte[4], bytes[76..80]);
            Assert.InRange(BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(80)), before, after);
            Assert.Equal(1, BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(88)));
            Assert.Equal(new byte[28], bytes[96..124]);
            Assert.Equal(QueueFormat.Check(bytes.AsSpan(16, 108)), BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(124)));
        }
    }

    [Fact]
    public void The_free_word_is_that_of_the_places_without_a_record()
    {
        Publish(_directory);

        var bytes = QueueFormat.ReadSegment(_directory, 1);
        var free = BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(56));
        var end = (int)QueueDirectory.FirstRecord + ((Numbers - QueueDirectory.NumbersInSegment) * QueueDirectory.NumberRecord);
        Assert.Equal(free, BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(end)));
        Assert.Equal(0ul, free & 7);
        Assert.Equal(_directory.IsBounded, free != 0);
        Assert.Equal(_directory.IsBounded, free != BinaryPrimitives.ReadUInt64LittleEndian(QueueFormat.ReadSegment(_directory, 0).AsSpan(56)));
    }

    [Fact]
    public void A_header_in_a_queue_with_checksums_has_that_of_padding()
    {
        if (_directory.IsBounded)
        {
            return;
        }

        using (var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { SegmentBytes = QueueDirectory.SmallSegment, Flush = FlushMode.Interval }))
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, Numbers);
        }

        for (var segment = 0; segment < 2; segment++)
        {
            // The position, the state word, and 0 bytes of payload.
            var bytes = QueueFormat.ReadSegment(_directory, segment);
            var check = QueueFormat.Check([.. BitConverter.GetBytes(segment * QueueDirectory.SmallSegment), .. bytes[..8], 0, 0, 0, 0]);
            Assert.Equal((ulong)check << 32, BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(8)));
        }
    }

    [Fact]
    public void A_slot_of_a_ring_gets_the_header_of_the_segment_that_is_in_it()
    {
        if (!_directory.IsBounded)
        {
            return;
        }

        const int Slots = 2;
        using var queue = _directory.Open(slots: Slots);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var late = queue.OpenReader<RawMessage>();
        for (var segment = 0; segment < 7; segment++)
        {
            Payload.PublishNumbers(producer, 0, QueueDirectory.NumbersInSegment);
            Assert.Equal(QueueDirectory.NumbersInSegment, Payload.ReadNumbers(consumer).Count);

            var bytes = QueueFormat.ReadSegment(_directory, segment % Slots);
            Assert.Equal(segment, BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(48)));
            Assert.Equal(QueueFormat.Check(bytes.AsSpan(16, 108)), BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(124)));
        }

        // The reader is told that it is overtaken, and not that the header is another one.
        Assert.Throws<MessagesDeletedException>(() => late.TryRead(out _));
    }

    [Fact]
    public void A_segment_of_another_queue_is_refused_and_the_exception_has_both_ids()
    {
        Publish(_directory);
        Publish(_other);
        QueueFormat.WriteSegment(_directory, 0, QueueFormat.ReadSegment(_other, 0));
        QueueFormat.WriteSegment(_directory, 1, QueueFormat.ReadSegment(_other, 1));

        AssertRefused<QueueCorruptedException>(exception =>
        {
            Assert.Equal(QueueFormat.Place(_directory, (int)(exception.Position / QueueDirectory.SmallSegment)).File, exception.File);
            Assert.Contains($"of the queue {QueueFormat.IdOf(_other)}, not", exception.Message, StringComparison.Ordinal);
            Assert.Contains($"of the queue {QueueFormat.IdOf(_directory)}.", exception.Message, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void Another_segment_of_the_queue_is_refused_and_the_exception_has_both_numbers()
    {
        Publish(_directory);
        var first = QueueFormat.ReadSegment(_directory, 0);
        QueueFormat.WriteSegment(_directory, 0, QueueFormat.ReadSegment(_directory, 1));
        QueueFormat.WriteSegment(_directory, 1, first);

        AssertRefused<QueueCorruptedException>(exception =>
        {
            var number = exception.Position / QueueDirectory.SmallSegment;
            Assert.Contains($"this is segment {1 - number} of the queue", exception.Message, StringComparison.Ordinal);
            Assert.Contains($"not segment {number} of the queue", exception.Message, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void A_damaged_header_is_refused_whatever_byte_it_is()
    {
        PublishOne();
        var (file, start) = QueueFormat.Place(_directory, 0);
        var header = QueueFormat.ReadSegment(_directory, 0)[..SegmentHeader.Bytes];

        // The state and the length of its record, and all that follows its record header.
        foreach (var offset in Enumerable.Range(16, SegmentHeader.Bytes - 16).Concat([0, 4, 5, 6, 7]))
        {
            foreach (var flip in new byte[] { 1, 0xFF })
            {
                QueueDirectory.Damage(file, start + offset, (byte)(header[offset] ^ flip));
                AssertRefused<QueueCorruptedException>(exception =>
                {
                    Assert.Equal((file, 0), (exception.File, exception.Position));
                    Assert.Contains("the header of the segment is damaged", exception.Message, StringComparison.Ordinal);
                });
            }

            QueueDirectory.Damage(file, start + offset, header[offset]);
        }

        AssertReadable();
    }

    [Theory]
    [InlineData(QueueFormat.VersionOffset, 2, 0)]
    [InlineData(QueueFormat.VersionOffset, 1, 1)]
    [InlineData(QueueFormat.VersionOffset, 0xFF, 0xFF)]
    [InlineData(QueueFormat.RequiredFeaturesOffset, 1, 0)]
    [InlineData(QueueFormat.RequiredFeaturesOffset, 0, 0x80)]
    [InlineData(QueueFormat.RequiredFeaturesOffset + 2, 0, 0x80)]
    public void A_newer_version_or_an_unknown_required_feature_is_refused(int offset, byte low, byte high)
    {
        PublishOne();
        var header = QueueFormat.ReadSegment(_directory, 0)[..SegmentHeader.Bytes];
        QueueFormat.ChangeHeader(_directory, 0, offset, low, high);

        AssertRefused<NotSupportedException>(exception =>
        {
            Assert.Contains(QueueFormat.Place(_directory, 0).File, exception.Message, StringComparison.Ordinal);
            Assert.Contains("Update the BufferedMessages package", exception.Message, StringComparison.Ordinal);
        });
        QueueFormat.WriteSegment(_directory, 0, header);
        AssertReadable();
    }

    [Theory]
    [InlineData(QueueFormat.OptionalFeaturesOffset)]
    [InlineData(QueueFormat.OptionalFeaturesOffset + 3)]
    [InlineData(96)]
    [InlineData(QueueFormat.CheckOffset - 1)]
    public void Optional_features_and_bytes_without_a_meaning_are_ignored(int offset)
    {
        PublishOne();
        QueueFormat.ChangeHeader(_directory, 0, offset, 0xFF);

        AssertReadable();
    }

    [Theory]
    [InlineData("never used")]
    [InlineData("in use")]
    [InlineData("opening its first segment")]
    public void A_control_file_of_another_queue_is_refused_and_changes_no_message(string state)
    {
        Publish(_directory);
        _other.Open().Dispose();
        if (state == "in use")
        {
            Publish(_other);
        }
        else if (state != "never used" && _directory.IsBounded)
        {
            // A producer that dies at this step leaves the mark of segment 0 in the slot.
            QueueDirectory.Damage(_other.ControlFile, QueueFormat.ControlRingSlotsOffset, (byte)RingSlot.Opening(0));
        }

        File.Copy(_other.ControlFile, _directory.ControlFile, overwrite: true);
        var hashes = QueueFormat.HashesOfMessages(_directory);

        using (var queue = MessageQueue.OpenExisting(_directory.Path))
        {
            var exception = Assert.Throws<QueueCorruptedException>(() => queue.OpenProducer());
            Assert.Contains($"of the queue {QueueFormat.IdOf(_other)}.", exception.Message, StringComparison.Ordinal);
            Assert.DoesNotContain($"of the queue {QueueFormat.IdOf(_other)}, not", exception.Message, StringComparison.Ordinal);
            using var consumer = queue.OpenConsumer<RawMessage>("risk");
            if (state == "in use")
            {
                Assert.Throws<QueueCorruptedException>(() => consumer.TryRead(out _));
            }
        }

        Assert.Equal(hashes, QueueFormat.HashesOfMessages(_directory));
    }

    [Fact]
    public void Messages_whose_control_file_was_deleted_are_not_overwritten()
    {
        Publish(_directory);
        File.Delete(_directory.ControlFile);
        var hashes = QueueFormat.HashesOfMessages(_directory);

        var exception = Assert.Throws<QueueCorruptedException>(() => _directory.Open());

        Assert.Equal(_directory.ControlFile, exception.File);
        Assert.Contains("the control file is missing", exception.Message, StringComparison.Ordinal);
        Assert.Throws<FileNotFoundException>(() => MessageQueue.OpenExisting(_directory.Path));
        Assert.Equal(hashes, QueueFormat.HashesOfMessages(_directory));
        Assert.False(File.Exists(_directory.ControlFile));
    }

    [Fact]
    public void A_ring_that_a_dead_creator_left_is_made_anew()
    {
        if (!_directory.IsBounded)
        {
            return;
        }

        Directory.CreateDirectory(_directory.Path);
        File.WriteAllBytes(_directory.SegmentFile(0), new byte[100_000]);

        PublishOne();

        AssertReadable();
    }

    private static void Publish(QueueDirectory directory)
    {
        using var queue = directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, Numbers);
    }

    private void PublishOne()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 7, 1);
    }

    /// <summary>Requires every participant to refuse the first or the last segment. None of them leaves anything in the queue.</summary>
    private void AssertRefused<TException>(Action<TException> check)
        where TException : Exception
    {
        using var queue = MessageQueue.OpenExisting(_directory.Path);
        using (var consumer = queue.OpenConsumer<RawMessage>("alone"))
        using (var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true }))
        using (var reader = queue.OpenReader<RawMessage>())
        {
            check(Assert.Throws<TException>(() => consumer.TryRead(out _)));
            check(Assert.Throws<TException>(() => consumer.TryRead(out _, TimeSpan.FromSeconds(30))));
            check(Assert.Throws<TException>(() => member.TryRead(out _)));
            check(Assert.Throws<TException>(() => reader.TryRead(out _)));
            check(Assert.Throws<TException>(() => queue.OpenProducer()));
            check(Assert.Throws<TException>(queue.GetStatistics));
        }

        Assert.True(queue.DeleteConsumer("alone"));
        Assert.True(queue.DeleteConsumer("group"));
    }

    /// <summary>Requires every participant to find the message 7, and no other.</summary>
    private void AssertReadable()
    {
        using var queue = MessageQueue.OpenExisting(_directory.Path);
        using var reader = queue.OpenReader<RawMessage>();
        using var consumer = queue.OpenConsumer<RawMessage>("alone");
        using var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        Assert.True(reader.TryRead(out var seen));
        Assert.Equal(7, Payload.Number(seen.Message.Bytes));
        Assert.Equal([7], Payload.ReadNumbers(consumer));
        Assert.Equal([7], Payload.ReadNumbers(member));
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(8));
        Assert.Equal([8], Payload.ReadNumbers(consumer));
    }

    public sealed class DurableSingle() : SegmentHeaderTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : SegmentHeaderTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : SegmentHeaderTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : SegmentHeaderTests(QueueMode.Bounded, ProducerMode.Multiple);
}
