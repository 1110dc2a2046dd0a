using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Tool.Tests;

/// <summary>A repair keeps the sound messages that are beside damage, and producers go on after it.</summary>
public sealed class KeptMessagesTests
{
    private const int Damaged = 5;

    // The cursor is a place that the control file names, and the records lead to it.
    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public async Task Messages_after_a_damaged_one_stay_when_a_consumer_has_read_the_segment_to_its_end(ProducerMode producers)
    {
        using var directory = new QueueDirectory(QueueMode.Durable, producers);
        long[] positions;
        using (var queue = directory.Open())
        using (var producer = queue.OpenProducer())
        using (var consumer = queue.OpenConsumer<RawMessage>("audit"))
        {
            positions = Payload.PublishNumbers(producer, 0, QueueDirectory.NumbersInSegment);
            Payload.ReadNumbers(consumer);
            Assert.Equal(QueueDirectory.SmallSegment, consumer.Position);
        }

        QueueDirectory.Damage(directory.SegmentFile(0), positions[Damaged], 0xFF);

        var repair = await ToolRun.InProcessAsync("repair", directory.Path, "--apply");

        Assert.True((0, "") == (repair.Code, repair.Errors), repair.Output + repair.Errors);
        Assert.Equal(Enumerable.Range(0, QueueDirectory.NumbersInSegment).Where(static number => number != Damaged), Numbers(directory));
    }

    // No participant has met the reservation: they all stop at the damage.
    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public async Task Messages_between_a_damaged_one_and_the_reservation_of_a_dead_producer_stay(ProducerMode producers)
    {
        const int Before = 10;
        var count = Before;
        using var directory = new QueueDirectory(QueueMode.Durable, producers);
        using var queue = directory.Open();
        using var dying = queue.OpenProducer();
        var positions = Payload.PublishNumbers(dying, 0, Before);
        HoldClaim(dying);
        if (producers == ProducerMode.Multiple)
        {
            using var other = queue.OpenProducer();
            Payload.PublishNumbers(other, Before, 3);
            count += 3;
        }

        using var crashed = directory.Crash();
        QueueDirectory.Damage(crashed.SegmentFile(0), positions[Damaged], 0xFF);

        var repair = await ToolRun.InProcessAsync("repair", crashed.Path, "--apply");

        Assert.True((0, "") == (repair.Code, repair.Errors), repair.Output + repair.Errors);
        using var repaired = MessageQueue.OpenExisting(crashed.Path);
        using var consumer = repaired.OpenConsumer<RawMessage>("all");
        Assert.Equal(Enumerable.Range(0, count).Where(static number => number != Damaged), Payload.ReadNumbers(consumer));

        static void HoldClaim(MessageProducer producer) => producer.Claim(100).Span.Clear();
    }

    [Fact]
    public async Task Segments_after_the_number_of_segments_are_named_and_stay_as_they_are()
    {
        const int Count = (2 * QueueDirectory.NumbersInSegment) + 10;
        using var directory = new QueueDirectory(QueueMode.Durable, ProducerMode.Multiple);
        using (var queue = directory.Open())
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, Count);
        }

        QueueDirectory.Damage(directory.ControlFile, QueueFormat.ControlOpenSegmentsOffset, BitConverter.GetBytes(1L));
        var before = QueueFormat.HashesOfMessages(directory);

        var check = await ToolRun.InProcessAsync("verify", directory.Path, "--all");
        var repair = await ToolRun.InProcessAsync("repair", directory.Path, "--apply");

        var damage = $"damaged  control at {QueueFormat.ControlOpenSegmentsOffset}: the queue cannot end before {Path.GetFileName(directory.SegmentFile(QueueDirectory.SmallSegment))}, which has records";
        Assert.Equal((1, 1), (check.Code, repair.Code));
        Assert.All([check, repair], run => Assert.Contains(damage, run.Output, StringComparison.Ordinal));
        Assert.Equal(before, QueueFormat.HashesOfMessages(directory));

        var rebuild = await ToolRun.InProcessAsync("repair", directory.Path, "--rebuild-control", "--apply");

        Assert.True(rebuild.Code == 0, rebuild.Output + rebuild.Errors);
        Assert.Equal(Enumerable.Range(0, Count), Numbers(directory));
    }

    // Bytes after the last record mean nothing to one producer. The new queue is for many, and each of them looks at the word after its record.
    [Fact]
    public async Task Producers_go_on_after_a_rebuild_of_a_queue_with_a_damaged_message_and_with_bytes_after_the_last_one()
    {
        const int Last = 10;
        using var directory = new QueueDirectory(QueueMode.Durable, ProducerMode.Single);
        long[] positions;
        using (var queue = MessageQueue.Open(
            directory.Path, new MessageQueueOptions { SegmentBytes = QueueDirectory.SmallSegment, Producers = ProducerMode.Single, Flush = FlushMode.EveryMessage }))
        using (var producer = queue.OpenProducer())
        {
            positions = Payload.PublishNumbers(producer, 0, Last);
            PublishPartOfClaim(producer);
        }

        QueueDirectory.Damage(directory.SegmentFile(0), positions[Damaged], 0xFF);
        File.Delete(directory.ControlFile);

        var rebuild = await ToolRun.InProcessAsync("repair", directory.Path, "--rebuild-control", "--apply");

        Assert.True(rebuild.Code == 0, rebuild.Output + rebuild.Errors);
        using (var queue = MessageQueue.OpenExisting(directory.Path))
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, Last + 1, 2);
        }

        Assert.Equal(Enumerable.Range(0, Last + 3).Where(static number => number != Damaged), Numbers(directory));

        static void PublishPartOfClaim(MessageProducer producer)
        {
            using var claim = producer.Claim(1_000);
            claim.Span.Fill(0xFF);
            Payload.Of(Last).AsSpan().CopyTo(claim.Span);
            claim.Commit(sizeof(int));
        }
    }

    // With a damaged number of slots these are the messages of a slot.
    [Fact]
    public async Task Bytes_that_are_cut_off_a_ring_are_kept()
    {
        using var directory = new QueueDirectory(QueueMode.Bounded, ProducerMode.Multiple);
        using (var queue = directory.Open())
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, 3);
        }

        byte[] rest = [1, 2, 3];
        var ring = directory.SegmentFile(0);
        QueueDirectory.Damage(ring, new FileInfo(ring).Length, rest);

        var repair = await ToolRun.InProcessAsync("repair", directory.Path, "--apply");

        Assert.True(repair.Code == 0, repair.Output + repair.Errors);
        var kept = Assert.Single(Directory.GetFiles(Path.Combine(directory.Path, "lost+found"), "ring", SearchOption.AllDirectories));
        Assert.Equal(rest, File.ReadAllBytes(kept));
        Assert.Equal(Enumerable.Range(0, 3), Numbers(directory));
    }

    private static List<int> Numbers(QueueDirectory directory)
    {
        using var queue = MessageQueue.OpenExisting(directory.Path);
        using var reader = queue.OpenReader<RawMessage>();
        var numbers = new List<int>();
        while (reader.TryRead(out var delivery))
        {
            numbers.Add(Payload.Number(delivery.Message.Bytes));
        }

        return numbers;
    }
}
