using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>The control file after a crash of the machine, when the disk has the pages of its tables from different times.</summary>
public sealed class TornTablesTests : IDisposable
{
    private const int FirstPageBytes = ControlMap.ParticipantsOffset;
    private const int WaitersOffset = 512;
    private const int SpaceWaitersOffset = 768;
    private const int WaitingOffset = ControlMap.ParticipantsOffset + ParticipantSlot.Bytes + 16;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_name_that_has_an_owner_only_on_the_disk_is_free()
    {
        using var queue = _directory.Open();
        byte[] names;
        using (queue.OpenConsumer<RawMessage>("name"))
        {
            names = Part(ControlMap.CursorsOffset, CursorRecord.Bytes);
        }

        using var crashed = MachineCrash.Of(_directory);
        QueueDirectory.Damage(crashed.ControlFile, ControlMap.CursorsOffset, names);

        using var again = crashed.Open();
        using var producer = again.OpenProducer();
        using var consumer = again.OpenConsumer<RawMessage>("name");

        producer.Publish(Payload.Of(1));
        Assert.Equal([1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_queue_that_has_a_producer_only_on_the_disk_gets_another()
    {
        using var queue = _directory.OpenSingle();
        byte[] header;
        using (queue.OpenProducer())
        {
            header = Part(0, FirstPageBytes);
        }

        using var crashed = MachineCrash.Of(_directory);
        QueueDirectory.Damage(crashed.ControlFile, 0, header);
        MachineCrash.Restart(crashed);

        using var again = crashed.OpenSingle();
        using var consumer = again.OpenConsumer<RawMessage>("name");
        using var producer = again.OpenProducer();

        producer.Publish(Payload.Of(1));
        Assert.Equal([1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_segment_that_the_producer_had_not_finished_is_deleted()
    {
        using var queue = _directory.OpenSingle();
        using var producer = queue.OpenProducer();
        using var crashed = MachineCrash.Of(_directory);
        var unfinished = crashed.SegmentFile(QueueDirectory.SmallSegment) + ".1.creating";
        File.WriteAllBytes(unfinished, [1]);

        using var again = crashed.OpenSingle();

        Assert.False(File.Exists(unfinished));
    }

    [Fact]
    public void A_first_segment_that_the_disk_has_from_after_the_number_of_segments_hinders_no_opening()
    {
        const int OpenSegmentsOffset = 384;
        const int Messages = 6;
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { SegmentBytes = QueueDirectory.SmallSegment, Retention = new QueueRetention { DeleteRead = true } });
        using var producer = queue.OpenProducer();
        using var reads = queue.OpenConsumer<RawMessage>("name");
        for (var number = 0; number < Messages; number++)
        {
            producer.Publish(Payload.Of(number, 30_000));
        }

        Assert.Equal(Messages, Payload.ReadNumbers(reads).Count);
        queue.ApplyRetention();
        Assert.False(File.Exists(_directory.SegmentFile(QueueDirectory.SmallSegment)));
        using var crashed = MachineCrash.Of(_directory);
        QueueDirectory.Damage(crashed.ControlFile, OpenSegmentsOffset, BitConverter.GetBytes(1L));

        using var again = crashed.Open();
        using var successor = again.OpenProducer();
        using var consumer = again.OpenConsumer<RawMessage>("name");

        Assert.Equal(queue.PublishedPosition, successor.Publish(Payload.Of(7)));
        Assert.Equal([7], Payload.ReadNumbers(consumer));
    }

    // Retention deleted segments, and producers opened others, after the control file was on the disk for the last time.
    [Theory]
    [InlineData(0, 1)]
    [InlineData(2, 1)]
    public void Numbers_of_segments_from_before_hide_no_message_from_a_reader_and_from_the_statistics(long first, long open)
    {
        const int Messages = 6;
        const int PayloadBytes = 30_000;
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { SegmentBytes = QueueDirectory.SmallSegment, Retention = new QueueRetention { DeleteRead = true } });
        using var producer = queue.OpenProducer();
        using var reads = queue.OpenConsumer<RawMessage>("name");
        for (var number = 0; number < Messages; number++)
        {
            producer.Publish(Payload.Of(number, PayloadBytes));
        }

        Assert.Equal(Messages, Payload.ReadNumbers(reads).Count);
        queue.ApplyRetention();
        using var crashed = MachineCrash.Of(_directory);
        QueueDirectory.Damage(crashed.ControlFile, QueueFormat.ControlFirstSegmentOffset, BitConverter.GetBytes(first));
        QueueDirectory.Damage(crashed.ControlFile, QueueFormat.ControlOpenSegmentsOffset, BitConverter.GetBytes(open));

        using var existing = MessageQueue.OpenExisting(crashed.Path);
        using var reader = existing.OpenReader<RawMessage>();

        for (var number = Messages - 2; number < Messages; number++)
        {
            Assert.True(reader.TryRead(out var delivery));
            Assert.Equal(Payload.Of(number, PayloadBytes), delivery.Message.Bytes);
        }

        Assert.False(reader.TryRead(out _));
        var (before, after) = (queue.GetStatistics(), existing.GetStatistics());
        Assert.Equal((2 * QueueDirectory.SmallSegment, before.PublishedPosition), (after.FirstPosition, after.PublishedPosition));
    }

    [Theory]
    [InlineData(ParticipantSlot.WaitsForRecord)]
    [InlineData(ParticipantSlot.WaitsForSpace)]
    public void A_waiter_that_the_disk_has_as_waiting_and_not_as_counted_hides_no_other(uint waitsFor)
    {
        using var queue = _directory.Open();
        using var last = queue.OpenConsumer<RawMessage>("name");
        using var crashed = MachineCrash.Of(_directory);
        QueueDirectory.Damage(crashed.ControlFile, WaitingOffset, BitConverter.GetBytes(waitsFor));

        using var again = crashed.Open();
        using var consumer = again.OpenConsumer<RawMessage>("name");

        Assert.Equal((0u, 0u), (Count(crashed, WaitersOffset), Count(crashed, SpaceWaitersOffset)));
    }

    [Theory]
    [InlineData(WaitersOffset)]
    [InlineData(SpaceWaitersOffset)]
    public void A_waiter_that_the_disk_has_as_counted_and_not_as_waiting_is_not_counted_any_more(int offset)
    {
        using var queue = _directory.Open();
        using var crashed = MachineCrash.Of(_directory);
        QueueDirectory.Damage(crashed.ControlFile, offset, BitConverter.GetBytes(WakeSignal.OneNow));

        using var again = crashed.Open();

        Assert.Equal(0u, Count(crashed, offset));
    }

    private static uint Count(QueueDirectory directory, int offset) => BitConverter.ToUInt32(Part(directory, offset, sizeof(uint)));

    private byte[] Part(int offset, int bytes) => Part(_directory, offset, bytes);

    private static byte[] Part(QueueDirectory directory, int offset, int bytes)
    {
        using var file = new FileStream(directory.ControlFile, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        var part = new byte[bytes];
        file.Position = offset;
        file.ReadExactly(part);
        return part;
    }
}
