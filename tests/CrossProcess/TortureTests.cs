using BufferedMessages.CrossProcess.Torture;
using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess;

/// <summary>Rounds of the torture, short enough for every run of the tests; and proof that its checker sees faults.</summary>
public sealed class TortureTests : IDisposable
{
    // Its rounds of durable queues have all flush modes and limits.
    private const int Seed = 20_261_021;
    private const int RandomRounds = 3;

    // On a busy machine a round may end before its processes have done anything, and a race needs luck.
    private const int MaxRounds = 15;
    private static readonly TimeSpan RoundTime = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly WorkerPool _pool = new(3);
    private readonly List<string> _directories = [];

    public void Dispose()
    {
        _pool.Dispose();
        _directories.ForEach(directory => Directory.Delete(directory, recursive: true));
    }

    [UnixTheory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void Killing_and_pausing_processes_at_random_loses_nothing_and_stops_no_process(QueueMode mode)
    {
        var total = new Tally();
        var rounds = 0;
        foreach (var (plan, seed) in Draw(mode))
        {
            var tally = Run(plan, seed, out var report);
            Assert.True(tally.IsClean, report);
            total.Add(tally);
            if (++rounds >= RandomRounds && total is { Kills: > 10, Messages: > 100 })
            {
                break;
            }
        }

        Assert.True(total is { Kills: > 10, Messages: > 100 }, $"Hardly anything happened: the test tests nothing. {total}");
    }

    [UnixTheory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_hundred_inspections_beside_killed_and_paused_processes_find_no_damage(QueueMode mode)
    {
        const int Inspections = 100;
        const int Kills = 20;
        var total = new Tally();
        var random = new Random(Seed);
        for (var round = 0; total.Inspections < Inspections || total.Kills < Kills; round++)
        {
            Assert.True(round < Inspections, $"Hardly anything happened: {total.Inspections} inspections, {total}");
            var tally = Run(RoundPlan.Draw(random, mode, RoundTime) with { IsInspected = true }, random.Next(), out var report);
            Assert.True(tally.IsClean, report);
            total.Add(tally);
        }
    }

    [Fact]
    public void Every_queue_that_may_be_drawn_can_be_created()
    {
        var random = new Random(1);
        for (var i = 0; i < 10_000; i++)
        {
            _ = new QueueGeometry(RoundPlan.Draw(random, mode: null, RoundTime).Options, QueueMode.Durable);
        }
    }

    [Fact]
    public void The_rounds_with_durable_queues_have_all_flush_modes_and_all_that_retention_can_do_without_a_loss()
    {
        var options = Draw(QueueMode.Durable).Take(RandomRounds).Select(round => round.Plan.Options).ToList();

        Assert.Contains(options, queue => queue.Flush == FlushMode.EveryMessage);
        Assert.Contains(options, queue => queue.Flush == FlushMode.Interval);
        Assert.Contains(options, queue => queue.Retention?.MaxBytes is not null);
        Assert.Contains(options, queue => queue.Retention?.HardLimitBytes is not null);
        Assert.Contains(options, queue => queue.Retention is { DeleteRead: true });
    }

    [UnixTheory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void Members_that_die_with_messages_leave_slots_for_all_when_few_are_left(QueueMode mode)
    {
        // Each dies before it looks for dead ones. So many deaths are more than there are seats left.
        const int Deaths = 25;
        var plan = new RoundPlan(Queue(mode), 3, [3, 0, 1], 100, Generous)
        {
            MaxDeaths = Deaths,
            Crowd = RoundPlan.LargestCrowd,
            HasRandomFaults = false,
            Orders = new Dictionary<WorkerKind, string> { [WorkerKind.Member] = new FaultOrder(FaultPoint.MidRead, 3, FaultAction.Kill).ToString() },
        };

        var tally = Run(plan, Seed, out var report);

        Assert.True(tally.IsClean, report);
        Assert.True(tally.Kills >= Deaths, $"Hardly anybody died: the test tests nothing. {tally}");
    }

    [UnixTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_checker_sees_that_a_live_owner_was_robbed(bool isPlanted)
    {
        // Producers sleep within a record, again and again: long enough for somebody to doubt that they live.
        var tally = RunPlanted(isPlanted ? PlantedFault.RobLiveOwner : PlantedFault.None, new RoundPlan(Queue(QueueMode.Durable), 2, [0], 100, RoundTime)
        {
            Orders = new Dictionary<WorkerKind, string> { [WorkerKind.Producer] = "MidPayload:-40:Sleep:60" },
        }, out var report);

        Assert.True(tally.Lost + tally.Corrupt > 0 == isPlanted, report);
    }

    [UnixTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_checker_sees_that_a_lap_has_no_free_word_of_its_own(bool isPlanted)
    {
        // Producers sleep just before their compare-and-swap, while others go round the ring.
        var tally = RunPlanted(isPlanted ? PlantedFault.NoFreeWordPerLap : PlantedFault.None, new RoundPlan(Queue(QueueMode.Bounded), 3, [0], 100, RoundTime)
        {
            Orders = new Dictionary<WorkerKind, string> { [WorkerKind.Producer] = "BeforeClaim:-500:Sleep:30" },
        }, out var report);

        Assert.True(tally.Lost + tally.Corrupt + tally.Disordered > 0 == isPlanted, report);
    }

    [UnixTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_checker_sees_that_there_is_no_fence_before_the_wake_check(bool isPlanted)
    {
        // Only a single producer's reservation can wait in the processor too; a reader that sees one sleeps shortly, since its owner may be dead.
        var options = Queue(QueueMode.Bounded);
        options.Producers = ProducerMode.Single;
        var planted = PlantedFault.LongSleeps | (isPlanted ? PlantedFault.NoFenceBeforeWake : PlantedFault.None);

        // The consumer is still awake when the second message of a pair is published, however busy the machine is.
        var tally = RunPlanted(planted, new RoundPlan(options, 1, [0], ProducerWorker.InPairs, RoundTime * 2)
        {
            Orders = new Dictionary<WorkerKind, string> { [WorkerKind.Consumer] = "MidRead:-1:Sleep:3" },
        }, out var report);

        Assert.True(tally.Stalled > 0 == isPlanted, report);
    }

    [UnixTheory]
    [InlineData(QueueMode.Bounded, false)]
    [InlineData(QueueMode.Bounded, true)]
    [InlineData(QueueMode.Durable, false)]
    [InlineData(QueueMode.Durable, true)]
    public void The_checker_sees_half_of_a_batch(QueueMode mode, bool isPlanted)
    {
        // Producers sleep and die in the middle of a batch.
        var tally = RunPlanted(isPlanted ? PlantedFault.SplitBatches : PlantedFault.None, new RoundPlan(Queue(mode), 2, [0, 2], 100, RoundTime)
        {
            Orders = new Dictionary<WorkerKind, string> { [WorkerKind.Producer] = "BatchRecordWritten:-100:Sleep:5;BatchRecordWritten:203:Kill:0" },
        }, out var report, mustKill: true);

        // Half of a batch of objects that is given up and published once more comes twice.
        Assert.True(tally.Halved + tally.Unflagged > 0 == isPlanted, report);
        Assert.True(isPlanted || tally.IsClean, report);
        Assert.True(isPlanted || tally.Kills > 0, "No producer died: the test tests nothing.");
    }

    [UnixTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_checker_sees_that_a_message_was_deleted_before_it_was_read(bool isPlanted)
    {
        // The consumer is slower than the producers. The mistake is the user's: retention does what it is told.
        var options = Queue(QueueMode.Durable);
        options.Retention = new QueueRetention { MaxBytes = 2 * QueueGeometry.MinSegmentBytes, KeepUnread = !isPlanted };
        var plan = new RoundPlan(options, 2, [0], 100, RoundTime) { Orders = new Dictionary<WorkerKind, string> { [WorkerKind.Consumer] = "MidRead:-50:Sleep:5" } };
        var (isDeleted, isLost) = (false, false);

        // On a busy machine the consumer may keep up with the producers: then only messages that it has read are deleted.
        for (var round = 0; round < MaxRounds && !(isPlanted ? isLost : isDeleted); round++)
        {
            var tally = RunPlanted(PlantedFault.None, plan, out var report);
            using var queue = MessageQueue.Open(Path.Combine(_directories[^1], "queue"));
            isDeleted = queue.GetStatistics().FirstPosition > 0;
            isLost = tally.Lost + tally.Corrupt > 0;
            Assert.True(!isLost || (isPlanted && isDeleted), report);
        }

        Assert.True(isDeleted, "Nothing was deleted: the test tests nothing.");
        Assert.Equal(isPlanted, isLost);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_checker_sees_that_the_watermark_reads_in_flight_words_before_the_claim_word(bool isPlanted)
    {
        // The last message of the first segment is taken just between the two reads of a producer that wants to reuse the segment.
        const int RecordBytes = 896;
        const int PerSegment = ((int)QueueGeometry.MinSegmentBytes - SegmentHeader.Bytes) / RecordBytes;
        Assert.Equal(QueueGeometry.MinSegmentBytes, SegmentHeader.Bytes + (PerSegment * RecordBytes));
        using var directory = new QueueDirectory();
        using var queue = MessageQueue.Open(directory.Queue, Queue(QueueMode.Bounded));
        using var producer = queue.OpenProducer();
        using var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        var message = new byte[RecordBytes - RecordWord.HeaderBytes];
        for (var number = 0; number < 2 * PerSegment; number++)
        {
            TortureMessage.Write(message, 1, number);
            producer.Publish(message);
        }

        for (var number = 0; number < PerSegment - 1; number++)
        {
            Assert.True(member.TryRead(out var delivery));
            delivery.Commit();
        }

        FaultPoints.Arm((isPlanted ? $"{PlantedFault.WatermarkReadsClaimLast};" : "") + $"{FaultPoint.WatermarkBetweenWords}:{(isPlanted ? 2 : 1)}:{FaultAction.Sleep}:0");
        var isTaken = false;
        FaultPoints.Pausing = isBefore => isTaken |= isBefore && Take(member);
        try
        {
            Assert.Equal(isPlanted, producer.TryPublish(message, out _));
        }
        finally
        {
            FaultPoints.Arm("");
            FaultPoints.Pausing = null;
        }

        Assert.True(isTaken, "The message was not taken between the two reads: the test tests nothing.");
        Assert.True(member.TryRead(out var held));
        Assert.Equal(!isPlanted, TortureMessage.TryRead(held.Message.Bytes, out _, out var taken) && taken == PerSegment - 1);

        // It stays announced, and is the member's next one again.
        static bool Take(MessageConsumer<RawMessage> member)
        {
            var isTaken = member.TryRead(out var delivery);
            delivery.Dispose();
            return isTaken;
        }
    }

    private static IEnumerable<(RoundPlan Plan, int Seed)> Draw(QueueMode mode)
    {
        var random = new Random(Seed);
        for (var round = 0; round < MaxRounds; round++)
        {
            yield return (RoundPlan.Draw(random, mode, RoundTime), random.Next());
        }
    }

    private static MessageQueueOptions Queue(QueueMode mode) => new()
    {
        Mode = mode,
        Producers = ProducerMode.Multiple,
        SegmentBytes = QueueGeometry.MinSegmentBytes,
        Slots = mode == QueueMode.Bounded ? 2 : null,
    };

    // Rounds until the planted fault shows. Without one: a single round, or rounds until a process died.
    private Tally RunPlanted(PlantedFault planted, RoundPlan plan, out string report, bool mustKill = false)
    {
        var isPlanted = (planted & ~PlantedFault.LongSleeps) != PlantedFault.None;
        var rounds = MaxRounds;
        Tally tally;
        do
        {
            tally = Run(plan with { Planted = planted, HasRandomFaults = false }, Seed + rounds, out report);
        }
        while (tally.IsClean && (isPlanted || (mustKill && tally.Kills == 0)) && --rounds > 0);
        return tally;
    }

    private Tally Run(RoundPlan plan, int seed, out string report)
    {
        _directories.Add(TortureDirectory.Create());
        using var round = new Round(plan, seed, _pool, _directories[^1]);
        var tally = round.Run();
        report = $"{plan}, seed {seed}: {tally}; wakes by powers of two of a microsecond: {string.Join(" ", tally.Wakes)}\n{round.Report}";
        return tally;
    }
}
