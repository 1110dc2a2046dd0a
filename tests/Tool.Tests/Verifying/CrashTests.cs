using BufferedMessages.Queues;
using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Tool.Tests;

/// <summary>Crashes of the machine: verify names the place where an opening program would cut the end off, and repair leaves the same messages.</summary>
public sealed class CrashTests : IDisposable
{
    private const int Segment = (int)QueueDirectory.SmallSegment;
    private const int Page = 4096;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    public async Task Any_lost_page_is_torn_where_the_recovery_cuts(int messagesInBatch)
    {
        long last;
        using (var queue = Open(_directory))
        using (var producer = queue.OpenProducer())
        {
            last = Publish(producer, 150, messagesInBatch);
        }

        for (var lost = 0; lost < 3 * Segment && lost < last; lost += Page)
        {
            using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
            QueueDirectory.Damage(crashed.SegmentFile(lost / Segment * Segment), lost % Segment, new byte[Page]);

            await RequireSameAsRecovery(crashed);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(16)]
    [InlineData(57)]
    [InlineData(127)]
    public async Task A_torn_header_of_the_last_segment_is_torn_there(int torn)
    {
        Fill(2);
        using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
        var rest = new byte[Segment - torn];
        new Random(torn).NextBytes(rest);
        QueueDirectory.Damage(crashed.SegmentFile(Segment), torn, rest);

        await RequireSameAsRecovery(crashed);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(1)]
    public async Task A_lost_segment_ends_the_queue_before_it(int lost)
    {
        Fill(4);
        using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
        File.Delete(crashed.SegmentFile(lost * Segment));

        await RequireSameAsRecovery(crashed);
    }

    // Retention has deleted two segments, and a producer has opened others since the control file was on the disk.
    [Theory]
    [InlineData(0, 1)]
    [InlineData(0, 4)]
    [InlineData(2, 1)]
    public async Task Numbers_of_segments_from_before_hide_none_and_make_none_missing(long first, long open)
    {
        Fill(4);
        using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
        File.Delete(crashed.SegmentFile(0));
        File.Delete(crashed.SegmentFile(Segment));
        QueueDirectory.Damage(crashed.ControlFile, QueueFormat.ControlFirstSegmentOffset, BitConverter.GetBytes(first));
        QueueDirectory.Damage(crashed.ControlFile, QueueFormat.ControlOpenSegmentsOffset, BitConverter.GetBytes(open));

        await RequireSameAsRecovery(crashed);
    }

    [Fact]
    public async Task A_damaged_message_that_was_confirmed_is_damage_and_not_torn()
    {
        long[] positions;
        using (var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { SegmentBytes = Segment, Flush = FlushMode.EveryMessage }))
        using (var producer = queue.OpenProducer())
        {
            positions = Payload.PublishNumbers(producer, 0, 3);
        }

        MachineCrash.Restart(_directory);
        QueueDirectory.Damage(_directory.SegmentFile(0), positions[1] + 16, 0xFF);

        var check = await ToolRun.InProcessAsync("verify", _directory.Path, "--checksums");
        var repair = await ToolRun.InProcessAsync("repair", _directory.Path, "--apply");

        Assert.Contains($"damaged  {Path.GetFileName(_directory.SegmentFile(0))} at {Quantity.Of(positions[1])}: ", check.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("torn", check.Output, StringComparison.Ordinal);
        Assert.Equal(0, repair.Code);
        Assert.Equal([Payload.Of(0), Payload.Of(2)], Messages(_directory));
    }

    [Fact]
    public async Task An_end_is_not_cut_off_after_the_place_where_the_machine_stopped()
    {
        long[] positions;
        using (var queue = Open(_directory))
        using (var producer = queue.OpenProducer())
        {
            positions = Payload.PublishNumbers(producer, 0, 8);
        }

        using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
        QueueDirectory.Damage(crashed.SegmentFile(0), positions[3] + 16, 0xFF);

        var late = await ToolRun.InProcessAsync("repair", crashed.Path, "--cut-at", $"{positions[5]}", "--apply");
        var early = await ToolRun.InProcessAsync("repair", crashed.Path, "--cut-at", $"{positions[2]}", "--apply");

        Assert.Equal(2, late.Code);
        Assert.Contains($"the whole records end at {positions[3]}", late.Errors, StringComparison.Ordinal);
        Assert.Equal((0, ""), (early.Code, early.Errors));
        Assert.Equal([Payload.Of(0), Payload.Of(1)], Messages(crashed));
    }

    // The cursor on the disk may be older than the last message that was handled.
    [Fact]
    public async Task Messages_before_an_end_that_is_cut_off_after_a_crash_come_as_redeliveries()
    {
        const int Kept = 3;
        long[] positions;
        using (var queue = Open(_directory))
        using (var producer = queue.OpenProducer())
        using (queue.OpenConsumer<RawMessage>("audit"))
        {
            positions = Payload.PublishNumbers(producer, 0, 8);
        }

        using var crashed = MachineCrash.Of(_directory);

        var cut = await ToolRun.InProcessAsync("repair", crashed.Path, "--cut-at", $"{positions[Kept]}", "--apply");

        Assert.Equal((0, ""), (cut.Code, cut.Errors));
        using var again = MessageQueue.OpenExisting(crashed.Path);
        using var consumer = again.OpenConsumer<RawMessage>("audit");
        for (var number = 0; number < Kept; number++)
        {
            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal((number, true), (Payload.Number(delivery.Message.Bytes), delivery.IsRedelivery));
            delivery.Commit();
        }
    }

    private static async Task RequireSameAsRecovery(QueueDirectory crashed)
    {
        using var opened = crashed.Crash();
        QueueRecovery recovery;
        using (var queue = MessageQueue.Open(opened.Path))
        {
            recovery = queue.Recovery!;
        }

        var report = QueueInspection.Run(crashed.Path, new InspectionDepth(Checksums: true, Messages: true), static _ => { }, CancellationToken.None);
        var torn = report.Findings.SingleOrDefault(static finding => finding.Kind == FindingKind.Torn);
        Assert.DoesNotContain(report.Findings, static finding => finding.Kind == FindingKind.Damage);
        Assert.Equal((recovery.Position, recovery.CutBytes), (torn?.Position ?? report.End, torn?.Bytes ?? 0));

        var repair = await ToolRun.InProcessAsync("repair", crashed.Path, "--apply");

        Assert.True((0, "") == (repair.Code, repair.Errors), $"{recovery.Position}: {repair.Output}{repair.Errors}");
        Assert.Equal(Messages(opened), Messages(crashed));
        Assert.Equal(0, (await ToolRun.InProcessAsync("verify", crashed.Path, "--all")).Code);
    }

    private static List<byte[]> Messages(QueueDirectory directory)
    {
        using var queue = MessageQueue.OpenExisting(directory.Path);
        using var reader = queue.OpenReader<RawMessage>();
        var messages = new List<byte[]>();
        while (reader.TryRead(out var delivery))
        {
            messages.Add(delivery.Message.Bytes.ToArray());
        }

        return messages;
    }

    private static MessageQueue Open(QueueDirectory directory) =>
        MessageQueue.Open(directory.Path, new MessageQueueOptions { SegmentBytes = Segment, Flush = FlushMode.Interval, FlushInterval = TimeSpan.FromHours(1) });

    private static long Publish(MessageProducer producer, int count, int messagesInBatch)
    {
        var last = 0L;
        for (var number = 0; number < count; number += messagesInBatch)
        {
            using var batch = producer.ClaimBatch(messagesInBatch * 1_024);
            for (var i = 0; i < messagesInBatch; i++)
            {
                Assert.True(batch.TryAdd(Payload.Of(number + i, 1_000)));
            }

            last = batch.Publish();
        }

        return last;
    }

    private void Fill(int segments)
    {
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        for (var number = 0; number < segments * 2; number++)
        {
            producer.Publish(Payload.Of(number, 30_000));
        }
    }
}
