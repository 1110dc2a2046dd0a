using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Readers that are opened after a crash of the machine, and before the repair of the queue.</summary>
public sealed class TornReaderTests : IDisposable
{
    private const long Segment = QueueDirectory.SmallSegment;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData("a record", true)]
    [InlineData("a record", false)]
    [InlineData("a segment", true)]
    [InlineData("a segment", false)]
    [InlineData("the header of the last segment", true)]
    [InlineData("the header of the last segment", false)]
    public void A_reader_that_begins_at_the_end_or_at_a_time_goes_on_where_the_repair_cuts(string loss, bool isTime)
    {
        using var crashed = Crash(loss);
        using var existing = MessageQueue.OpenExisting(crashed.Path);
        using var reader = existing.OpenReader<RawMessage>(isTime ? QueueStart.At(DateTimeOffset.UtcNow.AddHours(1)) : QueueStart.Latest);
        Assert.False(reader.TryRead(out _));

        using var queue = Open(crashed);
        using var producer = queue.OpenProducer();
        var first = producer.Publish(Payload.Of(77));
        Payload.PublishNumbers(producer, 78, 3 * QueueDirectory.NumbersInSegment);

        Assert.True(reader.TryRead(out var delivery, Generous));
        Assert.Equal((first, 77), (delivery.Position, Payload.Number(delivery.Message.Bytes)));
    }

    [Theory]
    [InlineData("a record")]
    [InlineData("a segment")]
    [InlineData("the header of the last segment")]
    public void A_reader_of_all_messages_ends_where_the_repair_cuts_and_goes_on_after_it(string loss)
    {
        using var crashed = Crash(loss);
        using var existing = MessageQueue.OpenExisting(crashed.Path);
        using var reader = existing.OpenReader<RawMessage>();
        var count = Count(reader);

        using var queue = Open(crashed);
        Assert.Equal(queue.Recovery!.Position, reader.Position);
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(77));

        Assert.True(reader.TryRead(out var delivery, Generous));
        Assert.Equal(77, Payload.Number(delivery.Message.Bytes));
        delivery.Commit();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.Equal(count + 1, Payload.ReadNumbers(consumer).Count);
    }

    [Fact]
    public void Segments_that_the_repair_deletes_are_not_taken_for_a_deleted_queue()
    {
        using var crashed = Crash("a segment");
        var reading = QueueHandle.Open(crashed.Path, FileAccess.Read);
        var repairing = QueueHandle.Open(crashed.Path);
        foreach (var step in new CrashRecovery((FileSegments)repairing.Segments).Steps)
        {
            step();
            Assert.False(reading.IsLost());
        }

        File.Delete(crashed.SegmentFile((repairing.Segments.Count - 1) * Segment));
        Assert.True(reading.IsLost());
        repairing.Release();
        reading.Release();
    }

    [Fact]
    public void A_message_that_the_repair_will_cut_is_no_start()
    {
        using var crashed = Crash("a record", out var positions);
        using var existing = MessageQueue.OpenExisting(crashed.Path);

        Assert.Throws<ArgumentOutOfRangeException>(() => existing.OpenReader<RawMessage>(QueueStart.At(positions[^1])));
    }

    [Fact]
    public void After_the_repair_a_reader_steps_over_the_reservation_of_a_dead_producer()
    {
        const int Nobody = 200;
        using var crashed = Crash("a record");
        using var existing = MessageQueue.OpenExisting(crashed.Path);
        using var reader = existing.OpenReader<RawMessage>();
        Count(reader);
        using var queue = Open(crashed);
        using var producer = queue.OpenProducer();
        var left = producer.Publish(Payload.Of(77));
        producer.Publish(Payload.Of(78));

        QueueDirectory.Damage(
            crashed.SegmentFile(left / Segment * Segment), left % Segment, BitConverter.GetBytes(RecordWord.Compose(RecordWord.Reserved, Nobody, QueueDirectory.NumberRecord)));

        Assert.True(reader.TryRead(out var delivery, Generous));
        Assert.Equal(78, Payload.Number(delivery.Message.Bytes));
    }

    [Fact]
    public void A_damaged_message_that_was_confirmed_is_reported_before_the_repair_too()
    {
        long[] positions;
        using (var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { SegmentBytes = Segment, Flush = FlushMode.EveryMessage }))
        using (var producer = queue.OpenProducer())
        {
            positions = Payload.PublishNumbers(producer, 0, 3);
        }

        MachineCrash.Restart(_directory);
        QueueDirectory.Damage(_directory.SegmentFile(0), positions[1] + RecordWord.HeaderBytes, 0xFF);
        using var existing = MessageQueue.OpenExisting(_directory.Path);
        using var reader = existing.OpenReader<RawMessage>();

        Assert.True(reader.TryRead(out var delivery));
        delivery.Commit();
        Assert.Equal(positions[1], Assert.Throws<QueueCorruptedException>(() => reader.TryRead(out _)).Position);
        reader.Seek(QueueStart.At(positions[2]));
        Assert.Equal(1, Count(reader));
    }

    [Fact]
    public void Messages_that_a_living_producer_publishes_are_read_although_the_machine_seems_to_have_started_again()
    {
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 10);
        MachineCrash.Restart(_directory);
        using var reader = queue.OpenReader<RawMessage>();
        Assert.Equal(10, Count(reader));

        Payload.PublishNumbers(producer, 10, 2 * QueueDirectory.NumbersInSegment);

        Assert.Equal(2 * QueueDirectory.NumbersInSegment, Count(reader));
    }

    private static MessageQueue Open(QueueDirectory directory) =>
        MessageQueue.Open(directory.Path, new MessageQueueOptions { SegmentBytes = Segment, Flush = FlushMode.Interval, FlushInterval = TimeSpan.FromHours(1) });

    private static int Count(MessageReader<RawMessage> reader)
    {
        var count = 0;
        while (reader.TryRead(out var delivery))
        {
            delivery.Commit();
            count++;
        }

        return count;
    }

    private QueueDirectory Crash(string loss) => Crash(loss, out _);

    // A queue of some segments of messages with a time, whose tail hint is on the disk, and the durable position is not.
    private QueueDirectory Crash(string loss, out long[] positions)
    {
        using (var queue = Open(_directory))
        using (var producer = queue.OpenProducer(new() { StampTime = true }))
        {
            positions = Payload.PublishNumbers(producer, 0, 2 * QueueDirectory.NumbersInSegment);
        }

        var last = positions[^1] / Segment * Segment;
        Assert.True(last >= 2 * Segment);
        var crashed = MachineCrash.Of(_directory, durablePosition: 0);
        switch (loss)
        {
            case "a record":
                // Of its payload alone: a walk over the words does not see it.
                QueueDirectory.Damage(crashed.SegmentFile(0), positions[5] + RecordWord.HeaderBytes, 0xFF, 0xFF);
                break;
            case "a segment":
                File.Delete(crashed.SegmentFile(Segment));
                break;
            default:
                QueueDirectory.Damage(crashed.SegmentFile(last), 0, new byte[SegmentHeader.Bytes]);
                break;
        }

        return crashed;
    }
}
