using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Crashes of the machine that lose the header of a segment, or leave that of another queue.</summary>
public sealed class HeaderRecoveryTests : IDisposable
{
    private const long Segment = QueueDirectory.SmallSegment;

    private readonly QueueDirectory _directory = new();
    private readonly QueueDirectory _other = new();

    public void Dispose()
    {
        _directory.Dispose();
        _other.Dispose();
    }

    [Theory]
    [InlineData(FlushMode.None)]
    [InlineData(FlushMode.Interval)]
    public void A_segment_whose_header_is_torn_at_any_byte_begins_anew(FlushMode flush)
    {
        Publish(_directory, flush);
        var random = new Random(20_261_124);
        for (var torn = 0; torn < SegmentHeader.Bytes; torn += torn < 16 ? 16 : 1)
        {
            using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
            var rest = new byte[Segment - torn];
            random.NextBytes(rest);
            QueueDirectory.Damage(crashed.SegmentFile(Segment), torn, rest);

            using var again = Open(crashed, flush);

            Assert.Equal(Segment, again.Recovery!.Position);
            AssertGoesOn(again, crashed);
        }
    }

    [Fact]
    public void A_last_segment_without_its_header_page_is_made_anew_and_its_bytes_are_kept()
    {
        Publish(_directory, FlushMode.Interval);
        using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
        QueueDirectory.Damage(crashed.SegmentFile(Segment), 0, new byte[4096]);
        var bytes = File.ReadAllBytes(crashed.SegmentFile(Segment));
        Assert.True(bytes.AsSpan().ContainsAnyExcept((byte)0));

        using var again = Open(crashed, FlushMode.Interval);

        Assert.Equal(Segment, again.Recovery!.Position);
        var copy = File.ReadAllBytes(Path.Combine(again.Recovery.LostAndFound!, Path.GetFileName(crashed.SegmentFile(Segment))));
        Assert.Equal(again.Recovery.CutBytes, copy.Length);
        Assert.Equal(bytes[..copy.Length], copy);
        AssertGoesOn(again, crashed);
    }

    // Its place is not mapped again before a message is published or read there.
    [Fact]
    public void A_segment_that_the_repair_made_anew_is_not_taken_for_one_that_was_replaced()
    {
        Publish(_directory, FlushMode.Interval);
        using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
        QueueDirectory.Damage(crashed.SegmentFile(Segment), 0, new byte[4096]);
        var handle = QueueHandle.Open(crashed.Path);
        handle.RecoverIfNeeded();

        Assert.Equal(Segment, handle.Recovery!.Position);
        Assert.False(handle.IsLost());
        handle.Release();
    }

    [Fact]
    public void A_crash_before_the_first_message_of_a_segment_leaves_its_header()
    {
        Publish(_directory, FlushMode.Interval);
        using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
        QueueDirectory.Damage(crashed.SegmentFile(Segment), SegmentHeader.Bytes, new byte[Segment - SegmentHeader.Bytes]);

        using var again = Open(crashed, FlushMode.Interval);

        Assert.Equal((Segment + SegmentHeader.Bytes, 0L), (again.Recovery!.Position, again.Recovery.CutBytes));
        AssertGoesOn(again, crashed);
    }

    [Fact]
    public void A_recovery_of_segments_of_another_queue_is_refused_and_changes_nothing()
    {
        Publish(_directory, FlushMode.None);
        Publish(_other, FlushMode.Interval);
        using var crashed = MachineCrash.Of(_directory);
        File.Copy(_other.ControlFile, crashed.ControlFile, overwrite: true);
        MachineCrash.Restart(crashed);
        QueueDirectory.Damage(crashed.ControlFile, MachineCrash.DurablePositionOffset, new byte[sizeof(long)]);
        var before = QueueFormat.HashesOfMessages(crashed);

        var exception = Assert.Throws<QueueCorruptedException>(() => Open(crashed, FlushMode.Interval));

        Assert.Contains($"{QueueFormat.IdOf(_directory)}, not segment 0 of the queue {QueueFormat.IdOf(_other)}", exception.Message, StringComparison.Ordinal);
        Assert.Equal(before, QueueFormat.HashesOfMessages(crashed));
    }

    private static MessageQueue Open(QueueDirectory directory, FlushMode flush) => MessageQueue.Open(
        directory.Path,
        new MessageQueueOptions { SegmentBytes = Segment, Flush = flush, FlushInterval = flush == FlushMode.Interval ? TimeSpan.FromHours(1) : null });

    /// <summary>Fills a segment, and begins another one.</summary>
    private static void Publish(QueueDirectory directory, FlushMode flush)
    {
        using var queue = Open(directory, flush);
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 2 * QueueDirectory.NumbersInSegment);
        Assert.False(File.Exists(directory.SegmentFile(2 * Segment)));
    }

    /// <summary>Requires all messages of the first segment, and the next ones in a second segment with a header of its own.</summary>
    private static void AssertGoesOn(MessageQueue queue, QueueDirectory directory)
    {
        using (var producer = queue.OpenProducer())
        {
            Assert.Equal(Segment + SegmentHeader.Bytes, producer.Publish(Payload.Of(-1)));
        }

        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.Equal([.. Enumerable.Range(0, QueueDirectory.NumbersInSegment), -1], Payload.ReadNumbers(consumer));
        var header = QueueFormat.ReadSegment(directory, 1).AsSpan(0, SegmentHeader.Bytes);
        Assert.Equal(QueueFormat.IdOf(directory), new Guid(header.Slice(32, 16)));
        Assert.Equal(1, BitConverter.ToInt64(header[48..]));
        Assert.Equal(QueueFormat.Check(header[16..QueueFormat.CheckOffset]), BitConverter.ToUInt32(header[QueueFormat.CheckOffset..]));
    }
}
