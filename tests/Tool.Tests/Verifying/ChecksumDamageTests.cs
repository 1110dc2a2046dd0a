using BufferedMessages.Queues;
using BufferedMessages.Runtime.Tests.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.Tool.Tests;

/// <summary>Queues with checksums: every flipped bit is found at its record, and costs that record alone.</summary>
public sealed class ChecksumDamageTests : IDisposable
{
    private const int PaddingStart = (int)QueueDirectory.FirstRecord + 64;
    private const int RequiredFeaturesByte = 3;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void Every_flipped_bit_is_found_once_at_its_record(ProducerMode producers)
    {
        var positions = Fill(producers);
        var file = _directory.SegmentFile(0);
        var original = File.ReadAllBytes(file);
        var end = (int)positions[2] + RecordWord.HeaderBytes + 32;
        for (var bit = 0; bit < end * 8; bit++)
        {
            var offset = bit / 8;
            if (offset >= PaddingStart + RecordWord.HeaderBytes && offset < positions[1])
            {
                continue;
            }

            QueueDirectory.Damage(file, offset, (byte)(original[offset] ^ (1 << (bit % 8))));
            var findings = Inspect();
            QueueDirectory.Damage(file, offset, original[offset]);

            var start = positions.Append(0).Append(PaddingStart).Where(start => start <= offset).Max();
            if (bit == (PaddingStart * 8) + 1)
            {
                // Padding without this bit is a possible reservation of a dead producer.
                continue;
            }

            var found = Assert.Single(findings);
            Assert.Equal(file, found.File);
            Assert.True(start == found.Position, $"bit {bit} is in the record at {start}, not {found.Position}: {found.Rule}");
            Assert.Equal(positions.Contains(offset - RequiredFeaturesByte) ? FindingKind.Unknown : FindingKind.Damage, found.Kind);
        }

        Assert.Empty(Inspect());
    }

    [Fact]
    public async Task A_repair_of_any_flipped_bit_of_a_record_loses_no_other_message()
    {
        var positions = Fill(ProducerMode.Multiple);
        byte[][] payloads = [Payload.Of(1, 48), [], Payload.Of(2, 32)];
        var file = _directory.SegmentFile(0);

        // Each byte of the first message's record, and some of the others'.
        foreach (var offset in Enumerable.Range((int)positions[0], 64).Where(offset => offset - positions[0] != RequiredFeaturesByte).Concat([(int)positions[1] + 5, (int)positions[1] + 12, (int)positions[2] + 7, (int)positions[2] + 20]))
        {
            using var copy = _directory.Crash();
            QueueDirectory.Damage(copy.SegmentFile(0), offset, (byte)(File.ReadAllBytes(file)[offset] ^ 0x20));

            var run = await ToolRun.InProcessAsync("repair", copy.Path, "--apply");

            Assert.True(run.Code == 0, $"byte {offset}: {run.Output}{run.Errors}");
            using var queue = MessageQueue.OpenExisting(copy.Path);
            using var consumer = queue.OpenConsumer<RawMessage>("all");
            foreach (var payload in payloads.Where((_, index) => !(offset >= positions[index] && offset < positions[index] + RecordWord.RecordBytes(payloads[index].Length))))
            {
                Assert.True(consumer.TryRead(out var delivery), $"byte {offset}");
                Assert.Equal(payload, delivery.Message.Bytes);
                delivery.Commit();
            }

            Assert.False(consumer.TryRead(out _));
            Assert.NotEmpty(Directory.GetFiles(Path.Combine(copy.Path, "lost+found"), "*.segment", SearchOption.AllDirectories));
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_torn_tail_is_named_where_the_recovery_cuts_it(bool isZeroed)
    {
        var positions = Fill(ProducerMode.Multiple);
        var end = (int)positions[2] + RecordWord.HeaderBytes + 32;
        var random = new Random(20_261_121);
        for (var torn = (int)positions[0]; torn < end; torn += 3)
        {
            using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
            var rest = new byte[QueueDirectory.SmallSegment - torn];
            if (!isZeroed)
            {
                random.NextBytes(rest);
            }

            QueueDirectory.Damage(crashed.SegmentFile(0), torn, rest);
            var report = QueueInspection.Run(crashed.Path, new InspectionDepth(Checksums: true, Messages: true), static _ => { }, CancellationToken.None);
            var found = report.Findings.SingleOrDefault(static finding => finding.Kind == FindingKind.Torn);

            using var queue = MessageQueue.Open(crashed.Path);

            Assert.Equal(queue.Recovery!.Position, report.End);
            Assert.Equal((queue.Recovery.CutBytes, queue.Recovery.CutBytes > 0 ? queue.Recovery.Position : (long?)null), (found?.Bytes ?? 0, found?.Position));
            Assert.DoesNotContain(report.Findings, static finding => finding.Kind == FindingKind.Damage);
            Assert.Equal(0, (await ToolRun.InProcessAsync("verify", crashed.Path, "--all")).Code);
        }
    }

    private IReadOnlyList<Finding> Inspect() =>
        QueueInspection.Run(_directory.Path, new InspectionDepth(Checksums: true, Messages: true), static _ => { }, CancellationToken.None).Findings;

    private List<long> Fill(ProducerMode producers)
    {
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { SegmentBytes = QueueDirectory.SmallSegment, Flush = FlushMode.Interval, FlushInterval = TimeSpan.FromHours(1), Producers = producers });
        using var producer = queue.OpenProducer();
        var positions = new List<long> { producer.Publish(Payload.Of(1, 48)) };
        using (var claim = producer.Claim(100))
        {
            claim.Span.Fill(0xFF);
        }

        positions.Add(producer.Publish([]));
        positions.Add(producer.Publish(Payload.Of(2, 32)));
        return positions;
    }
}
