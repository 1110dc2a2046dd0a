using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class SpareSegmentTests : IDisposable
{
    private const int Segment = (int)QueueDirectory.SmallSegment;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new();
    private byte _published;

    private string Spare => Path.Combine(_directory.Path, SpareSegment.FileName);

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void The_spare_segment_becomes_the_next_one_with_its_own_header(ProducerMode producers)
    {
        using var queue = Open(producers);
        using var producer = queue.OpenProducer();
        Publish(producer, 2);
        AwaitSpare();
        var spare = FileIdentity.Of(Spare);
        var before = DateTimeOffset.UtcNow;

        Publish(producer, 1);

        Assert.True(FileIdentity.Of(_directory.SegmentFile(2 * Segment))!.Value.IsSameFile(spare!.Value));
        var handle = QueueHandle.Open(_directory.Path);
        using (var segment = handle.Segments.Map(2))
        {
            Assert.InRange(segment.Header.Opened, before, DateTimeOffset.UtcNow);
        }

        handle.Release();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.Equal([0, 1, 2], ReadFirstBytes(consumer));
    }

    [Fact]
    public void A_producer_that_has_filled_no_segment_has_no_spare_one()
    {
        using var queue = Open(ProducerMode.Multiple);
        using var producer = queue.OpenProducer();

        Publish(producer, 1);

        Assert.Equal(["00000000000000000000.segment", "control"], Names());
    }

    [Fact]
    public void A_producer_that_is_closed_leaves_no_half_made_file()
    {
        for (var round = 0; round < 20; round++)
        {
            using var queue = Open(ProducerMode.Multiple);
            using (var producer = queue.OpenProducer())
            {
                Publish(producer, 2);
            }

            Assert.DoesNotContain(Names(), static name => name.EndsWith(".creating", StringComparison.Ordinal));
        }
    }

    [Fact]
    public void A_spare_segment_that_was_cut_off_is_not_taken()
    {
        using var queue = Open(ProducerMode.Multiple);
        using var producer = queue.OpenProducer();
        Publish(producer, 2);
        AwaitSpare();
        File.WriteAllBytes(Spare, new byte[100]);

        Publish(producer, 1);

        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.Equal([0, 1, 2], ReadFirstBytes(consumer));
    }

    [Fact]
    public void The_file_that_a_dead_producer_was_preparing_is_deleted_when_its_slot_is_reclaimed()
    {
        using var killed = CrashWhilePreparing(ProducerMode.Single);
        using var again = MessageQueue.Open(killed.Path);
        using var successor = again.OpenProducer();

        Assert.Empty(Directory.GetFiles(killed.Path, "*.creating"));
    }

    [Fact]
    public void Of_many_producers_the_next_one_deletes_the_file_that_a_dead_one_was_preparing_and_not_that_of_a_live_one()
    {
        using var killed = CrashWhilePreparing(ProducerMode.Multiple);
        using var again = MessageQueue.Open(killed.Path);
        using var successor = again.OpenProducer();
        Assert.Empty(Directory.GetFiles(killed.Path, "*.creating"));

        var ofLive = Path.Combine(killed.Path, SpareSegment.FileName + ".2.creating");
        File.WriteAllBytes(ofLive, new byte[100]);
        using var third = again.OpenProducer();
        Assert.Equal([ofLive], Directory.GetFiles(killed.Path, "*.creating"));
    }

    [Fact]
    public void The_temporary_name_of_a_segment_that_a_dead_producer_had_just_named_is_deleted_when_its_slot_is_reclaimed()
    {
        using var queue = Open(ProducerMode.Single);
        using var producer = queue.OpenProducer();
        Publish(producer, 1);
        using var killed = _directory.Crash();
        var segment = Path.Combine(killed.Path, "00000000000000000000.segment");
        File.Copy(segment, segment + ".1.creating");
        File.Copy(segment, segment + ".11.creating");

        using var again = MessageQueue.Open(killed.Path);
        using var successor = again.OpenProducer();

        Assert.Equal([segment + ".11.creating"], Directory.GetFiles(killed.Path, "*.creating"));
    }

    [Fact]
    public void At_the_hard_limit_no_spare_segment_takes_room()
    {
        using var queue = Open(ProducerMode.Multiple, new QueueRetention { HardLimitBytes = 2 * Segment });
        using (var producer = queue.OpenProducer())
        {
            Publish(producer, 2);
        }

        Assert.Equal(["00000000000000000000.segment", "00000000000000065536.segment", "control"], Names());
    }

    [Fact]
    public void A_queue_with_a_spare_segment_is_sound_and_is_deleted_with_it()
    {
        using (var queue = Open(ProducerMode.Multiple))
        using (var producer = queue.OpenProducer())
        {
            Publish(producer, 2);
            AwaitSpare();
            Assert.Empty(QueueInspection.Run(_directory.Path, new InspectionDepth(Checksums: true, Messages: true), static _ => { }, CancellationToken.None).Findings);
        }

        Assert.True(MessageQueue.Delete(_directory.Path));
        Assert.False(Directory.Exists(_directory.Path));
    }

    [Fact]
    public void The_repair_after_a_crash_of_the_machine_takes_no_spare_segment_over()
    {
        using var queue = Open(ProducerMode.Multiple);
        using var producer = queue.OpenProducer();
        Publish(producer, 2);
        AwaitSpare();
        using var crashed = MachineCrash.Of(_directory);
        Assert.True(File.Exists(Path.Combine(crashed.Path, SpareSegment.FileName)));

        using var again = MessageQueue.Open(crashed.Path);

        Assert.False(File.Exists(Path.Combine(crashed.Path, SpareSegment.FileName)));
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.Equal([0, 1], ReadFirstBytes(consumer));
    }

    private MessageQueue Open(ProducerMode producers, QueueRetention? retention = null) =>
        MessageQueue.Open(_directory.Path, new MessageQueueOptions { Producers = producers, SegmentBytes = Segment, Retention = retention });

    // The files of a queue whose producer died while it prepared a spare segment.
    private QueueDirectory CrashWhilePreparing(ProducerMode producers)
    {
        using var queue = Open(producers);
        using var producer = queue.OpenProducer();
        Publish(producer, 1);
        var killed = _directory.Crash();
        File.WriteAllBytes(Path.Combine(killed.Path, SpareSegment.FileName + ".1.creating"), new byte[100]);
        return killed;
    }

    // Each message fills a segment.
    private void Publish(MessageProducer producer, int messages)
    {
        for (var i = 0; i < messages; i++)
        {
            var payload = new byte[QueueDirectory.LargestPayload];
            payload[0] = _published++;
            producer.Publish(payload);
        }
    }

    private static List<int> ReadFirstBytes(MessageConsumer<RawMessage> consumer)
    {
        var read = new List<int>();
        while (consumer.TryRead(out var delivery))
        {
            read.Add(delivery.Message.Bytes[0]);
            delivery.Commit();
        }

        return read;
    }

    private void AwaitSpare() => Assert.True(SpinWait.SpinUntil(() => File.Exists(Spare), Generous));

    private IEnumerable<string> Names() => Directory.GetFiles(_directory.Path).Select(static path => Path.GetFileName(path)).Order(StringComparer.Ordinal);
}
