using BufferedMessages.Queues;
using BufferedMessages.Runtime.Tests.Segments;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

public abstract class CorruptionTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    // Bits 24 to 31 of a state word are required features.
    private const int RequiredFeaturesByte = 3;
    private const long SecondRecord = QueueDirectory.FirstRecord + 48;

    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4095)]
    [InlineData(4096)]
    [InlineData(100_000)]
    public void A_control_file_that_was_cut_off_is_refused(int length)
    {
        _directory.Open().Dispose();
        using (var control = new FileStream(_directory.ControlFile, FileMode.Open))
        {
            control.SetLength(length);
        }

        var exception = Assert.Throws<QueueCorruptedException>(() => _directory.Open());

        Assert.Equal(_directory.ControlFile, exception.File);
    }

    [Fact]
    public void A_damaged_tail_hint_is_reported_at_its_place_in_the_control_file()
    {
        const long TailHint = 256;
        if (_directory.IsSingle)
        {
            return;
        }

        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        QueueDirectory.Damage(_directory.ControlFile, TailHint, 8);

        var exception = Assert.Throws<QueueCorruptedException>(() => producer.Publish("x"u8));

        Assert.Equal((_directory.ControlFile, TailHint), (exception.File, exception.Position));
    }

    [Fact]
    public void A_foreign_file_is_refused_and_not_touched()
    {
        Directory.CreateDirectory(_directory.Path);
        var text = string.Concat(Enumerable.Repeat("this is somebody's file\n", 1_000));
        File.WriteAllText(_directory.ControlFile, text);

        Assert.Throws<QueueCorruptedException>(() => _directory.Open());

        Assert.Equal(text, File.ReadAllText(_directory.ControlFile));
        Assert.Equal([_directory.ControlFile], Directory.GetFileSystemEntries(_directory.Path));
    }

    [Fact]
    public void A_queue_of_a_later_version_is_refused()
    {
        _directory.Open().Dispose();
        QueueDirectory.Damage(_directory.ControlFile, 4, (byte)(ControlHeader.ExpectedVersion + 1));

        Assert.Contains("Update the BufferedMessages package", Assert.Throws<NotSupportedException>(() => _directory.Open()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Messages_without_a_control_file_are_refused()
    {
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            producer.Publish("precious"u8);
        }

        File.Delete(_directory.ControlFile);

        Assert.Throws<QueueCorruptedException>(() => _directory.Open());
    }

    [Fact]
    public void Another_segment_size_than_on_disk_is_refused_and_says_both()
    {
        _directory.Open().Dispose();

        var exception = Assert.Throws<ArgumentException>(() => _directory.Open(segmentBytes: 1024 * 1024));

        Assert.Contains("65536", exception.Message, StringComparison.Ordinal);
        Assert.Contains("1048576", exception.Message, StringComparison.Ordinal);
        using var queue = _directory.Open(segmentBytes: null);
        Assert.Equal(65536, queue.SegmentBytes);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(32 * 1024)]
    [InlineData(100_000)]
    [InlineData(2L * 1024 * 1024 * 1024)]
    public void An_impossible_segment_size_is_refused(long bytes) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => MessageQueue.Open(_directory.Path, new MessageQueueOptions { SegmentBytes = bytes }));

    [Theory]
    [InlineData(0)]
    [InlineData(4096)]
    public void A_segment_that_was_cut_off_is_refused_by_readers_and_by_the_producer(int length)
    {
        PublishTwo();
        using (var segment = new FileStream(_directory.SegmentFile(0), FileMode.Open))
        {
            segment.SetLength(length);
        }

        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");

        Assert.Equal(_directory.SegmentFile(0), Assert.Throws<QueueCorruptedException>(() => consumer.TryRead(out _)).File);
        Assert.Equal(_directory.SegmentFile(0), Assert.Throws<QueueCorruptedException>(() => queue.OpenProducer()).File);
    }

    [Fact]
    public void A_missing_segment_is_reported()
    {
        PublishTwo();
        File.Delete(_directory.SegmentFile(0));
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");

        Assert.Throws<QueueCorruptedException>(() => consumer.TryRead(out _));
    }

    // The second record: its state word, then its payload's size.
    [Theory]
    [InlineData("00 00 00 00 00 00 00 00 is free", false)]
    [InlineData("0A 00 00 00 00 00 00 00 has length 0", true)]
    [InlineData("0A 00 00 00 31 00 00 00 has a length that is no multiple of 16", true)]
    [InlineData("0A 00 00 00 00 00 01 00 reaches behind the segment's end", true)]
    [InlineData("0A 00 00 00 F0 FF FF FF has an enormous length", true)]
    [InlineData("0B 00 00 00 00 00 00 00 is padding of length 0", true)]
    [InlineData("0B 00 00 00 00 00 10 00 is padding behind the segment's end", true)]
    [InlineData("09 00 00 00 00 00 00 00 is reserved with length 0", true)]
    [InlineData("08 00 00 00 30 00 00 00 is free but has a length", true)]
    [InlineData("0C 00 00 00 30 00 00 00 is in no known state", true)]
    [InlineData("0F 00 00 00 30 00 00 00 is in no known state either", true)]
    [InlineData("0A 00 00 00 30 00 00 00 21 00 00 00 has a payload longer than itself", true)]
    [InlineData("0A 00 00 00 30 00 00 00 FF FF FF FF has an enormous payload", true)]
    [InlineData("0A 00 00 00 30 00 00 00 20 00 00 00 is as it should be", false)]
    public void A_record_word_that_cannot_be_is_reported_and_nothing_beyond_is_read(string damage, bool isCorrupt)
    {
        PublishTwo();
        var bytes = damage.Split(' ').TakeWhile(part => part.Length == 2 && part.All(char.IsAsciiHexDigitUpper)).Select(part => Convert.ToByte(part, 16)).ToArray();
        QueueDirectory.Damage(_directory.SegmentFile(0), SecondRecord, bytes);
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Commit();
        if (!isCorrupt && !(_directory.IsBounded && bytes.AsSpan().IndexOfAnyExcept((byte)0) < 0))
        {
            // Zeros are free in a segment file; in a ring the free word is another one.
            consumer.TryRead(out var second);
            second.Dispose();
            return;
        }

        var exception = Assert.Throws<QueueCorruptedException>(() => consumer.TryRead(out _));
        Assert.Equal(SecondRecord, exception.Position);
        Assert.Equal(_directory.SegmentFile(0), exception.File);
        Assert.Throws<QueueCorruptedException>(() => consumer.TryRead(out _, TimeSpan.FromSeconds(1)));
        Assert.Throws<QueueCorruptedException>(() =>
        {
            foreach (var _ in consumer.ReadAll())
            {
                Assert.Fail("A damaged message was delivered.");
            }
        });
    }

    [Fact]
    public void Every_changed_byte_of_a_record_header_gives_a_message_or_an_exception_and_never_a_fault()
    {
        PublishTwo();
        var original = File.ReadAllBytes(_directory.SegmentFile(0));
        using var queue = _directory.Open();
        for (var offset = (int)SecondRecord; offset < SecondRecord + RecordWord.HeaderBytes; offset++)
        {
            for (var value = 0; value < 256; value++)
            {
                QueueDirectory.Damage(_directory.SegmentFile(0), offset, (byte)value);
                using var consumer = queue.OpenConsumer<RawMessage>("risk", new() { Start = QueueStart.At(SecondRecord) });
                try
                {
                    if (consumer.TryRead(out var delivery))
                    {
                        Assert.InRange(delivery.Message.Bytes.Length, 0, QueueDirectory.LargestPayload);
                        _ = delivery.Message.Bytes.IndexOf((byte)1);
                        delivery.Dispose();
                    }
                }
                catch (QueueCorruptedException exception)
                {
                    Assert.Equal(_directory.SegmentFile(0), exception.File);
                }
                catch (NotSupportedException) when (offset == SecondRecord + RequiredFeaturesByte)
                {
                }
            }

            QueueDirectory.Damage(_directory.SegmentFile(0), offset, original[offset]);
        }
    }

    [Theory]
    [InlineData(-16)]
    [InlineData(8)]
    [InlineData(1L << 40)]
    public void A_cursor_that_stands_where_no_record_can_be_is_reported(long position)
    {
        PublishTwo();
        using (var queue = _directory.Open())
        {
            queue.OpenConsumer<RawMessage>("risk").Dispose();
        }

        QueueDirectory.Damage(_directory.ControlFile, 4096 + (256 * 384) + 128, BitConverter.GetBytes(position));
        using var again = _directory.Open();

        Assert.Throws<QueueCorruptedException>(() => again.OpenConsumer<RawMessage>("risk"));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(254)]
    [InlineData(0x0800_0000)]
    public void A_full_table_of_members_of_names_that_cannot_be_gives_an_exception_and_never_a_fault(int cursor)
    {
        const int Slots = 4096;
        const int SlotBytes = 384;
        const uint Member = 4;
        const ulong Taken = 2;
        _directory.Open().Dispose();
        for (var slot = 1; slot < 256; slot++)
        {
            QueueDirectory.Damage(_directory.ControlFile, Slots + (slot * SlotBytes), BitConverter.GetBytes(Member));
            QueueDirectory.Damage(_directory.ControlFile, Slots + (slot * SlotBytes) + 20, BitConverter.GetBytes(cursor));
            QueueDirectory.Damage(_directory.ControlFile, Slots + (slot * SlotBytes) + 256, BitConverter.GetBytes(Taken));
        }

        using var queue = _directory.Open();

        Assert.Contains("Close one", Assert.Throws<InvalidOperationException>(() => queue.OpenConsumer<RawMessage>("risk")).Message, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void A_missing_folder_of_leases_is_reported_until_it_is_made_again()
    {
        PublishTwo();
        var leases = Path.Combine(_directory.Path, "leases");
        using var queue = _directory.Open();
        Directory.Delete(leases, recursive: true);
        using var again = _directory.Open();

        Assert.Equal(leases, Assert.Throws<QueueCorruptedException>(() => queue.OpenConsumer<RawMessage>("risk")).File);
        Assert.Throws<QueueCorruptedException>(() => queue.OpenProducer());
        Assert.Throws<QueueCorruptedException>(() => queue.DeleteConsumer("risk"));
        Assert.Throws<QueueCorruptedException>(() => queue.GetStatistics());
        Assert.Throws<QueueCorruptedException>(() => again.OpenConsumer<RawMessage>("risk"));
        using (var reader = queue.OpenReader<RawMessage>())
        {
            Assert.True(reader.TryRead(out _));
        }

        Directory.CreateDirectory(leases);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Assert.True(consumer.TryRead(out _));
    }

    [LinuxFact]
    public void A_participant_that_meets_the_missing_folder_of_leases_reports_it()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var claim = producer.Claim(32);
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Directory.Delete(Path.Combine(_directory.Path, "leases"), recursive: true);

        // It looks whether the owner of the claim is alive.
        Assert.Throws<QueueCorruptedException>(() => consumer.TryRead(out _, TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public void A_slot_that_was_not_taken_because_of_damage_can_be_taken_later()
    {
        const int Slots = 4096;
        const int SlotBytes = 384;
        const uint Consumer = 3;
        const int NameBytes = Slots + (256 * SlotBytes) + 8;
        _directory.Open().Dispose();
        for (var slot = 1; slot < 256; slot++)
        {
            QueueDirectory.Damage(_directory.ControlFile, Slots + (slot * SlotBytes), BitConverter.GetBytes(Consumer));
        }

        QueueDirectory.Damage(_directory.ControlFile, NameBytes, BitConverter.GetBytes(1_000));
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { OnEvent = static _ => { } });

        Assert.Throws<QueueCorruptedException>(() => queue.OpenProducer());
        using var producer = queue.OpenProducer();
        Assert.True(producer.Publish(Payload.Of(1)) > 0);
    }

    private void PublishTwo()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1, 32));
        producer.Publish(Payload.Of(2, 32));
    }

    public sealed class DurableSingle() : CorruptionTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : CorruptionTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : CorruptionTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : CorruptionTests(QueueMode.Bounded, ProducerMode.Multiple);
}
