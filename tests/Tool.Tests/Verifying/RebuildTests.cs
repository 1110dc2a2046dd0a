using BufferedMessages.Queues;
using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Tool.Tests;

/// <summary>A control file that is made anew, or whose queue is cut by hand: messages keep their ids, and none in flight is lost.</summary>
public sealed class RebuildTests : IDisposable
{
    private const long Segment = QueueDirectory.SmallSegment;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task A_message_that_a_member_had_taken_is_delivered_again()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        Payload.PublishNumbers(producer, 0, 3);
        Assert.True(member.TryRead(out var taken));
        using var crashed = _directory.Crash();
        taken.Dispose();

        await Rebuild(crashed);

        using var again = MessageQueue.OpenExisting(crashed.Path);
        using var heir = again.OpenConsumer<RawMessage>("group", new() { Shared = true });
        var numbers = new List<int>();
        while (numbers.Count < 3 && heir.TryRead(out var delivery, Generous))
        {
            Assert.Equal(numbers.Count == 0, delivery.IsRedelivery);
            numbers.Add(Payload.Number(delivery.Message.Bytes));
            delivery.Commit();
        }

        Assert.Equal([0, 1, 2], numbers);
    }

    // In the segment where an epoch begins, the old file alone says where.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Messages_keep_their_ids(bool isOldFileThere)
    {
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, 10);
        }

        MachineCrash.Restart(_directory);
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            Assert.Equal(2, queue.Epoch);
            if (isOldFileThere)
            {
                producer.Publish(Payload.Of(10));
            }

            producer.Publish(Payload.Of(11, QueueDirectory.LargestPayload));
        }

        var ids = Ids(_directory);
        if (!isOldFileThere)
        {
            File.Delete(_directory.ControlFile);
        }

        await Rebuild(_directory);

        Assert.Equal([1, 2], ids.Select(static id => id.Epoch).Distinct());
        Assert.Equal(ids, Ids(_directory));
    }

    [Fact]
    public async Task A_reservation_of_a_dead_producer_is_not_taken_for_that_of_the_next_one()
    {
        using var queue = _directory.Open();
        using var dying = queue.OpenProducer();
        using var producer = queue.OpenProducer();
        HoldClaim(dying);
        producer.Publish(Payload.Of(1));
        using var crashed = _directory.Crash();

        await Rebuild(crashed);

        using var again = MessageQueue.OpenExisting(crashed.Path);
        using var first = again.OpenProducer();
        using var second = again.OpenProducer();
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.True(consumer.TryRead(out var delivery, Generous));
        Assert.Equal(1, Payload.Number(delivery.Message.Bytes));

        static void HoldClaim(MessageProducer producer) => producer.Claim(100).Span.Clear();
    }

    [Fact]
    public async Task A_reservation_after_a_damaged_header_is_not_taken_for_that_of_the_next_producer()
    {
        using var queue = _directory.Open();
        using var dying = queue.OpenProducer();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, QueueDirectory.NumbersInSegment);
        HoldClaim(dying);
        producer.Publish(Payload.Of(QueueDirectory.NumbersInSegment));
        using var crashed = _directory.Crash();
        DamageHeader(crashed, 1);

        await Rebuild(crashed);

        using var again = MessageQueue.OpenExisting(crashed.Path);
        using var first = again.OpenProducer();
        using var second = again.OpenProducer();
        using var consumer = again.OpenConsumer<RawMessage>("all");
        for (var number = 0; number <= QueueDirectory.NumbersInSegment; number++)
        {
            Assert.True(consumer.TryRead(out var delivery, Generous));
            Assert.Equal(number, Payload.Number(delivery.Message.Bytes));
            delivery.Commit();
        }

        static void HoldClaim(MessageProducer producer) => producer.Claim(100).Span.Clear();
    }

    // After each step but the last the queue is as before: it has no control file, and no program opens it.
    [Fact]
    public async Task A_rebuild_that_died_after_any_step_holds_up_no_reader()
    {
        using var queue = _directory.Open();
        using var dying = queue.OpenProducer();
        using var producer = queue.OpenProducer();
        HoldClaim(dying);
        producer.Publish(Payload.Of(1));
        for (var steps = 1; ; steps++)
        {
            using var crashed = _directory.Crash();
            File.Delete(crashed.ControlFile);
            var rebuild = new ControlRebuild(crashed.Path, schemaText: null);
            rebuild.RunAlone(() => rebuild.Steps.Take(steps).ToList().ForEach(static step => step.Take()));
            if (!MessageQueue.Exists(crashed.Path))
            {
                Assert.Throws<QueueCorruptedException>(() => MessageQueue.Open(crashed.Path));
                await Rebuild(crashed);
            }

            using var again = MessageQueue.OpenExisting(crashed.Path);
            using var first = again.OpenProducer();
            using var second = again.OpenProducer();
            using var consumer = again.OpenConsumer<RawMessage>("all");
            Assert.True(consumer.TryRead(out var delivery, Generous), $"The rebuild died after {steps} steps.");
            Assert.Equal(1, Payload.Number(delivery.Message.Bytes));
            Assert.DoesNotContain(Directory.EnumerateFiles(crashed.Path), static path => path.EndsWith(".creating", StringComparison.Ordinal));
            if (steps == rebuild.Steps.Count)
            {
                break;
            }
        }

        static void HoldClaim(MessageProducer producer) => producer.Claim(100).Span.Clear();
    }

    // The message was read and handled, and was not on the disk when the machine stopped again.
    [Fact]
    public async Task No_new_message_gets_the_id_of_one_that_was_lost_with_the_control_file()
    {
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, 10);
        }

        MachineCrash.Restart(_directory);
        MessageId lost;
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            lost = queue.IdOf(producer.Publish(Payload.Of(10)));
        }

        QueueDirectory.Damage(_directory.SegmentFile(0), lost.Position, new byte[QueueDirectory.NumberRecord]);
        File.Delete(_directory.ControlFile);

        await Rebuild(_directory);

        using var again = MessageQueue.OpenExisting(_directory.Path);
        using var other = again.OpenProducer();
        var position = other.Publish(Payload.Of(11));
        Assert.Equal(lost.Position, position);
        Assert.NotEqual(lost, again.IdOf(position));
    }

    // The process that makes the control file may die before its next look at the queue.
    [Fact]
    public void The_rest_that_a_single_producer_left_open_holds_up_no_reader()
    {
        const int Bytes = 40_000;
        using var directory = new QueueDirectory(QueueMode.Durable, ProducerMode.Single);
        using (var queue = directory.Open())
        using (var producer = queue.OpenProducer())
        {
            producer.Publish(Payload.Of(0, Bytes));
            producer.Publish(Payload.Of(1, Bytes));
        }

        // It died when it had opened the second segment.
        QueueDirectory.Damage(directory.SegmentFile(0), QueueDirectory.FirstRecord + 16 + Bytes, new byte[16]);
        QueueDirectory.Damage(directory.SegmentFile(Segment), QueueDirectory.FirstRecord, new byte[16]);

        var rebuild = new ControlRebuild(directory.Path, schemaText: null);
        rebuild.RunAlone(() =>
        {
            foreach (var step in rebuild.Steps)
            {
                step.Take();
            }
        });

        using var again = MessageQueue.OpenExisting(directory.Path);
        using var next = again.OpenProducer();
        next.Publish(Payload.Of(2));
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.True(consumer.TryRead(out var first));
        Assert.Equal(Bytes, first.Message.Bytes.Length);
        first.Commit();
        Assert.Equal([2], Payload.ReadNumbers(consumer));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(0, 1)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(1, 2)]
    public async Task Messages_after_a_damaged_header_stay_where_they_are(params int[] segments)
    {
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, (2 * QueueDirectory.NumbersInSegment) + 10);
        }

        var ids = Ids(_directory);
        Array.ForEach(segments, segment => DamageHeader(_directory, segment));
        File.Delete(_directory.ControlFile);

        await Rebuild(_directory);

        Assert.Equal(ids, Ids(_directory));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task A_segment_that_was_cut_off_does_not_say_how_long_segments_are(int segment)
    {
        const int Left = 4096;
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, QueueDirectory.NumbersInSegment + 500);
        }

        List<MessageId> ids = [.. Ids(_directory).Where(id => id.Position / Segment != segment || id.Position % Segment < Left)];
        using (var file = new FileStream(_directory.SegmentFile(segment * Segment), FileMode.Open))
        {
            file.SetLength(Left);
        }

        File.Delete(_directory.ControlFile);

        await Rebuild(_directory);

        Assert.Equal(ids, Ids(_directory));
    }

    [Theory]
    [InlineData(FlushMode.None)]
    [InlineData(FlushMode.EveryMessage)]
    public async Task A_cut_writes_the_messages_before_it_to_the_disk(FlushMode flush)
    {
        long[] positions;
        using (var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { SegmentBytes = Segment, Flush = flush }))
        using (var producer = queue.OpenProducer())
        {
            positions = Payload.PublishNumbers(producer, 0, 5);
        }

        var run = await ToolRun.InProcessAsync("repair", _directory.Path, "--cut-at", $"{positions[3]}", "--apply");

        Assert.Equal((0, ""), (run.Code, run.Errors));
        using var again = MessageQueue.OpenExisting(_directory.Path);
        Assert.Equal(positions[3], again.DurablePosition);
    }

    [Theory]
    [InlineData(1L << 40)]
    [InlineData(2)]
    public async Task A_number_of_segments_that_cannot_be_is_named_and_made_anew(long count)
    {
        long[] positions;
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            positions = Payload.PublishNumbers(producer, 0, 10);
        }

        QueueDirectory.Damage(_directory.ControlFile, QueueFormat.ControlOpenSegmentsOffset, BitConverter.GetBytes(count));

        var check = await ToolRun.InProcessAsync("verify", _directory.Path, "--all");
        var repair = await ToolRun.InProcessAsync("repair", _directory.Path, "--apply");

        Assert.Equal((1, 1), (check.Code, repair.Code));
        Assert.All([check, repair], run => Assert.Contains($"damaged  control at {QueueFormat.ControlOpenSegmentsOffset}: ", run.Output, StringComparison.Ordinal));
        await Rebuild(_directory);
        Assert.Equal(positions, Ids(_directory).Select(static id => id.Position));
    }

    // There are more segments between the two than a process can look for.
    [Fact]
    public async Task A_header_with_a_number_that_cannot_be_does_not_hold_up_a_rebuild()
    {
        const int NumberOffset = 48;
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, QueueDirectory.NumbersInSegment + 10);
        }

        QueueFormat.ChangeHeader(_directory, 1, NumberOffset, BitConverter.GetBytes(1L << 40));

        var run = await Task.Run(() => ToolRun.InProcessAsync("repair", _directory.Path, "--rebuild-control", "--apply")).WaitAsync(Generous);

        Assert.Equal(1, run.Code);
        Assert.Contains($"damaged  control at {QueueFormat.ControlOpenSegmentsOffset}: ", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_ring_slot_in_a_state_that_cannot_be_is_named()
    {
        using var directory = new QueueDirectory(QueueMode.Bounded);
        using (var queue = directory.Open())
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, 10);
        }

        var slot = QueueFormat.ControlRingSlotsOffset + RingSlot.Bytes;
        foreach (var state in new[] { RingSlot.Open(1_000), RingSlot.Opening(1L + (32 * 50)) })
        {
            QueueDirectory.Damage(directory.ControlFile, slot, BitConverter.GetBytes(state));

            var check = await ToolRun.InProcessAsync("verify", directory.Path);
            var repair = await ToolRun.InProcessAsync("repair", directory.Path, "--apply");

            Assert.Equal((1, 1), (check.Code, repair.Code));
            Assert.All([check, repair], run => Assert.Contains($"damaged  control at {Quantity.Of(slot)}: the slot 1 of the ring cannot be in the state {state}", run.Output, StringComparison.Ordinal));
        }
    }

    private static void DamageHeader(QueueDirectory directory, int segment)
    {
        const int Checked = 60;
        QueueDirectory.Damage(directory.SegmentFile(segment * Segment), Checked, (byte)(QueueFormat.ReadSegment(directory, segment)[Checked] ^ 0xFF));
    }

    private static async Task Rebuild(QueueDirectory directory)
    {
        var run = await ToolRun.InProcessAsync("repair", directory.Path, "--rebuild-control", "--apply");
        Assert.True(run.Code == 0, run.Output + run.Errors);
    }

    private static List<MessageId> Ids(QueueDirectory directory)
    {
        using var queue = MessageQueue.OpenExisting(directory.Path);
        using var reader = queue.OpenReader<RawMessage>();
        var ids = new List<MessageId>();
        while (reader.TryRead(out var delivery))
        {
            ids.Add(delivery.Id);
        }

        return ids;
    }
}
