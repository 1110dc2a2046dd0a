using BufferedMessages.Segments;
using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class MachineCrashTests : IDisposable
{
    private const int Segment = (int)QueueDirectory.SmallSegment;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_restart_that_lost_nothing_changes_nothing()
    {
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var last = Payload.PublishNumbers(producer, 0, 5_000)[^1];
        using var crashed = MachineCrash.Of(_directory);

        using var again = Open(crashed);

        Assert.Equal(last + QueueDirectory.NumberRecord, again.Recovery?.Position);
        Assert.Equal((0L, null), (again.Recovery!.CutBytes, again.Recovery.LostAndFound));
        Assert.Empty(again.Recovery.ClampedNames);
        using var survivor = again.OpenConsumer<RawMessage>("all");
        Assert.Equal(Enumerable.Range(0, 5_000), Payload.ReadNumbers(survivor));
    }

    [Fact]
    public void A_queue_is_repaired_once_for_each_restart_and_not_after_the_death_of_processes()
    {
        using (var queue = Open(_directory))
        using (var producer = queue.OpenProducer())
        {
            producer.Publish(Payload.Of(1));
            using var killed = _directory.Crash();
            using var survivor = Open(killed);
            Assert.Null(survivor.Recovery);
        }

        MachineCrash.Restart(_directory);
        using (var first = Open(_directory))
        {
            Assert.NotNull(first.Recovery);
        }

        using var second = Open(_directory);
        Assert.Null(second.Recovery);
    }

    [Fact]
    public void A_queue_that_a_process_has_open_is_not_repaired()
    {
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1));
        MachineCrash.Restart(_directory);

        using var other = Open(_directory);

        Assert.Null(other.Recovery);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_tail_that_is_torn_at_any_byte_gives_whole_messages_only_and_no_ghosts(bool isZeroed)
    {
        const int Flushed = 3;
        byte[][] payloads = [.. Enumerable.Range(0, 6).Select(number => Payload.Of(number, 3 + (number * 5)))];
        var positions = new List<long>();
        using (var queue = Open(_directory))
        using (var producer = queue.OpenProducer())
        {
            foreach (var payload in payloads)
            {
                positions.Add(producer.Publish(payload));
                if (positions.Count == Flushed)
                {
                    queue.Flush();
                }
            }
        }

        var end = positions[^1] + 16 + payloads[^1].Length;
        var random = new Random(20_261_121);
        for (var torn = (int)positions[Flushed]; torn < end; torn++)
        {
            using var crashed = MachineCrash.Of(_directory, durablePosition: positions[Flushed]);
            var rest = new byte[Segment - torn];
            if (!isZeroed)
            {
                random.NextBytes(rest);
            }

            QueueDirectory.Damage(crashed.SegmentFile(0), torn, rest);

            using var again = Open(crashed);

            // What fills a record up to a multiple of 16 belongs to nobody.
            var intact = positions.Select((position, number) => position + 16 + payloads[number].Length).TakeWhile(behind => behind <= torn).Count();
            Assert.Equal(positions[intact], again.Recovery!.Position);
            Assert.Equal(again.Recovery.CutBytes > 0, again.Recovery.LostAndFound is not null);
            AssertHolds(again, payloads[..intact]);
        }
    }

    [Fact]
    public void Any_lost_page_gives_whole_messages_only_and_no_ghosts()
    {
        const int Page = 4096;
        var positions = new List<long>();
        using (var queue = Open(_directory))
        using (var producer = queue.OpenProducer())
        {
            for (var number = 0; number < 150; number++)
            {
                positions.Add(producer.Publish(Payload.Of(number, 1_000)));
            }
        }

        for (var lost = 0; lost < 3 * Segment && lost < positions[^1]; lost += Page)
        {
            using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
            QueueDirectory.Damage(crashed.SegmentFile(lost / Segment * Segment), lost % Segment, new byte[Page]);

            using var again = Open(crashed);

            if (lost % Segment == 0)
            {
                // The header is lost: the segment begins anew.
                Assert.Equal(lost, again.Recovery!.Position);
            }
            else
            {
                // The page may hold nothing but padding; the record that begins before it is cut as well.
                var whole = positions.FindIndex(position => position + 1_016 > lost);
                Assert.InRange(again.Recovery!.Position, positions[whole], positions[whole] + 1_024);
            }

            AssertHolds(again, [.. Enumerable.Range(0, positions.Count(position => position < again.Recovery.Position)).Select(number => Payload.Of(number, 1_000))]);
        }
    }

    [Fact]
    public void A_lost_last_segment_ends_the_queue_in_front_of_it()
    {
        var count = FillSegments(3);
        using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
        File.Delete(crashed.SegmentFile(2 * Segment));

        using var again = Open(crashed);

        Assert.Equal(2 * Segment, again.Recovery!.Position);
        Assert.Equal(0, again.Recovery.CutBytes);
        AssertHolds(again, [.. Enumerable.Range(0, count).Select(number => Payload.Of(number, 30_000)).Take(4)]);
    }

    [Fact]
    public void Segments_after_the_end_are_kept_in_lost_and_found_and_never_come_back()
    {
        FillSegments(4);
        using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
        var bytes = File.ReadAllBytes(crashed.SegmentFile(2 * Segment));
        File.Delete(crashed.SegmentFile(Segment));

        using var again = Open(crashed);

        var recovery = again.Recovery!;
        Assert.Equal(Segment, recovery.Position);
        Assert.EndsWith($"-{Segment}", recovery.LostAndFound, StringComparison.Ordinal);
        var copy = File.ReadAllBytes(Path.Combine(recovery.LostAndFound!, Path.GetFileName(crashed.SegmentFile(2 * Segment))));
        Assert.True(bytes.AsSpan().StartsWith(copy));
        Assert.Contains(Path.GetFileName(crashed.SegmentFile(3 * Segment)), File.ReadAllText(Path.Combine(recovery.LostAndFound!, "report.txt")), StringComparison.Ordinal);
        Assert.False(File.Exists(crashed.SegmentFile(2 * Segment)));
        AssertHolds(again, [Payload.Of(0, 30_000), Payload.Of(1, 30_000)]);
    }

    [Fact]
    public void Messages_that_were_confirmed_survive_whatever_happens_after_them()
    {
        using var queue = Open(_directory, FlushMode.EveryMessage);
        using var producer = queue.OpenProducer();
        var random = new Random(20_261_122);
        for (var number = 0; number < 30; number++)
        {
            producer.Publish(Payload.Of(number, 5_000));

            // The control file may be as old as the queue, and everything behind the end be garbage.
            using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
            var end = queue.DurablePosition;
            var garbage = new byte[Math.Min(100, Segment - (end % Segment))];
            random.NextBytes(garbage);
            QueueDirectory.Damage(crashed.SegmentFile(end / Segment * Segment), end % Segment, garbage);

            using var again = Open(crashed, FlushMode.EveryMessage);

            AssertHolds(again, [.. Enumerable.Range(0, number + 1).Select(each => Payload.Of(each, 5_000))]);
        }
    }

    [Fact]
    public void A_damaged_message_that_was_confirmed_is_reported_and_those_after_it_stay()
    {
        long[] positions;
        using (var queue = Open(_directory, FlushMode.EveryMessage))
        using (var producer = queue.OpenProducer())
        {
            positions = Payload.PublishNumbers(producer, 0, 3);
        }

        MachineCrash.Restart(_directory);
        QueueDirectory.Damage(_directory.SegmentFile(0), positions[1] + RecordWord.HeaderBytes, 0xFF);

        using var again = Open(_directory, FlushMode.EveryMessage);

        Assert.Equal((positions[2] + QueueDirectory.NumberRecord, 0L), (again.Recovery!.Position, again.Recovery.CutBytes));
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Commit();
        Assert.Equal(positions[1], Assert.Throws<QueueCorruptedException>(() => consumer.TryRead(out _)).Position);
        consumer.Seek(QueueStart.At(positions[2]));
        Assert.Equal([2], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Names_and_groups_after_the_end_go_on_at_the_end()
    {
        long[] positions;
        using (var queue = Open(_directory))
        using (var producer = queue.OpenProducer())
        using (var early = queue.OpenConsumer<RawMessage>("early"))
        using (var late = queue.OpenConsumer<RawMessage>("late"))
        using (var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true }))
        {
            positions = Payload.PublishNumbers(producer, 0, 10);
            Assert.True(early.TryRead(out var delivery));
            delivery.Commit();
            Assert.Equal(10, Payload.ReadNumbers(late).Count);
            Assert.Equal(10, Payload.ReadNumbers(member).Count);
        }

        using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
        QueueDirectory.Damage(crashed.SegmentFile(0), positions[5], new byte[QueueDirectory.NumberRecord]);

        using var again = Open(crashed);

        Assert.Equal(["late", "group"], again.Recovery!.ClampedNames);
        Assert.Equal(positions[5], again.Recovery.Position);
        using var successor = again.OpenProducer();
        successor.Publish(Payload.Of(77));
        using var reads = again.OpenConsumer<RawMessage>("late");
        using var shares = again.OpenConsumer<RawMessage>("group", new() { Shared = true });
        using var follows = again.OpenConsumer<RawMessage>("early");
        Assert.Equal([77], Payload.ReadNumbers(reads));
        Assert.Equal([77], Payload.ReadNumbers(shares));
        Assert.Equal([1, 2, 3, 4, 77], Payload.ReadNumbers(follows));
    }

    [Fact]
    public void A_recoverer_that_dies_at_any_step_is_followed_by_one_that_finishes()
    {
        const int Steps = 6;
        const int SecondRecord = (int)QueueDirectory.FirstRecord + 30_016;
        FillSegments(4);
        using (var queue = Open(_directory))
        {
            using var consumer = queue.OpenConsumer<RawMessage>("late", new() { Start = QueueStart.Latest });
        }

        MachineCrash.Restart(_directory);
        QueueDirectory.Damage(_directory.SegmentFile(Segment), SecondRecord, new byte[RecordWord.HeaderBytes]);
        for (var steps = 0; steps <= Steps; steps++)
        {
            using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
            var handle = QueueHandle.Open(crashed.Path);
            var recovery = new CrashRecovery((FileSegments)handle.Segments);
            Assert.Equal(Steps, recovery.Steps.Count);
            foreach (var step in recovery.Steps.Take(steps))
            {
                step();
            }

            handle.Release();
            using var half = crashed.Crash();
            ControlMap.CreateLeaseDirectory(half.Path, FilePermissions.OfUser);

            using var again = Open(half);

            Assert.Equal(steps == Steps, again.Recovery is null);
            Assert.Equal(Segment + SecondRecord, again.PublishedPosition);
            AssertHolds(again, [.. Enumerable.Range(0, 3).Select(number => Payload.Of(number, 30_000))]);
            using var late = again.OpenConsumer<RawMessage>("late");
            Assert.Equal([1_000_000], Payload.ReadNumbers(late));
            var copies = Directory.GetFiles(Path.Combine(half.Path, "lost+found"), Path.GetFileName(half.SegmentFile(3 * Segment)), SearchOption.AllDirectories);
            Assert.NotEmpty(copies);
            Assert.All(copies, copy => Assert.True(new FileInfo(copy).Length > 30_000));
        }
    }

    private static MessageQueue Open(QueueDirectory directory, FlushMode flush = FlushMode.Interval) => MessageQueue.Open(
        directory.Path,
        new MessageQueueOptions { SegmentBytes = Segment, Flush = flush, FlushInterval = flush == FlushMode.Interval ? TimeSpan.FromHours(1) : null });

    /// <summary>Two messages of 30,000 bytes to a segment.</summary>
    private int FillSegments(int segments)
    {
        using var queue = Open(_directory);
        using var producer = queue.OpenProducer();
        for (var number = 0; number < segments * 2; number++)
        {
            producer.Publish(Payload.Of(number, 30_000));
        }

        return segments * 2;
    }

    /// <summary>Reads all, publishes another message, and reads that.</summary>
    internal static void AssertHolds(MessageQueue queue, byte[][] payloads)
    {
        using (var producer = queue.OpenProducer())
        {
            producer.Publish(Payload.Of(1_000_000));
        }

        using var consumer = queue.OpenConsumer<RawMessage>("reads all");
        foreach (var payload in payloads.Append(Payload.Of(1_000_000)))
        {
            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal(payload, delivery.Message.Bytes);
            delivery.Commit();
        }

        Assert.False(consumer.TryRead(out _));
    }
}
