using BufferedMessages.Queues;
using System.Globalization;
using BufferedMessages.CrossProcess.Torture;
using BufferedMessages.Segments;
using static BufferedMessages.Segments.FaultPoint;

namespace BufferedMessages.CrossProcess;

/// <summary>A process is killed at every step of every operation, one step after the other, while others publish and read.</summary>
public sealed class FaultPointTests : IDisposable
{
    private static readonly FaultPoint[] CreationPoints =
        [DirectoryCreated, FileAllocated, FileInitialised, FileFlushed, FileNamed, FileRenamed, NameWritten, NamePlaced, MembershipLocked, SlotLeased, SlotCleared, SlotSigned, OwnerWritten];

    private static readonly FaultPoint[] RingPoints = [RingCreated, SlotLocked, SlotOpening, SlotHalfFilled, SlotOpen, SlotUnlocked];

    private static readonly FaultPoint[] DeletionPoints = [DeletionBegun, DeletionNearlyDone];

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    public static TheoryData<QueueMode, ProducerMode, string> PartsOfQueues()
    {
        var data = new TheoryData<QueueMode, ProducerMode, string>();
        foreach (var mode in Enum.GetValues<QueueMode>())
        {
            foreach (var producers in Enum.GetValues<ProducerMode>())
            {
                foreach (var part in Enum.GetNames<WorkerKind>())
                {
                    data.Add(mode, producers, part);
                }
            }
        }

        return data;
    }

    [Fact]
    public void Every_fault_point_has_a_process_that_is_killed_at_it()
    {
        var swept = from part in Enum.GetValues<WorkerKind>() from kind in Enum.GetValues<QueueKinds>() from point in PointsOf(part, kind) select point;

        Assert.Equal([], Enum.GetValues<FaultPoint>().Except(swept).Except(CreationPoints).Except(RingPoints).Except(DeletionPoints));
    }

    [UnixTheory]
    [MemberData(nameof(PartsOfQueues))]
    public void A_process_killed_at_any_step_hurts_no_other(QueueMode mode, ProducerMode producers, string part)
    {
        var options = new MessageQueueOptions
        {
            Mode = mode,
            Producers = producers,
            SegmentBytes = QueueGeometry.MinSegmentBytes,
            Slots = mode == QueueMode.Bounded ? 2 : null,
        };
        var kind = Enum.Parse<QueueKinds>($"{mode}{producers}");

        // Readers wait for messages only where they can catch up, and producers for space only where readers cannot.
        var haste = mode == QueueMode.Bounded ? 98 : 80;
        using var pool = new WorkerPool(2);
        using var round = new Round(
            new RoundPlan(options, producers == ProducerMode.Multiple ? 2 : 1, [0, 1], haste, TimeSpan.FromMilliseconds(200))
            {
                HasRandomFaults = false,
                Victims = [.. VictimsOf(Enum.Parse<WorkerKind>(part), kind)],
            },
            seed: 1,
            pool,
            _directory.Queue);
        Create(round.Queue, options);

        var tally = round.Run();

        Assert.True(tally.IsClean, $"{tally}\n{round.Report}");
        Assert.Null(round.Spared);
        Assert.All(Enum.GetValues<WorkerKind>(), other => Assert.Equal([], round.Reached(other).Except(PointsOf(other, kind))));
    }

    [UnixTheory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_creator_killed_at_any_step_leaves_a_queue_that_can_be_opened_or_created(QueueMode mode)
    {
        foreach (var point in CreationPoints.Concat(mode == QueueMode.Bounded ? RingPoints : [SegmentCounted]))
        {
            for (var hit = 1; hit <= 2; hit++)
            {
                KillCreator(mode, new FaultOrder(point, hit, FaultAction.Kill), mustDie: hit == 1);
            }
        }
    }

    private static IEnumerable<Victim> VictimsOf(WorkerKind part, QueueKinds kind) =>
        from step in ProtocolSteps.Of(part, kind)
        select new Victim(part, part == WorkerKind.Member ? 1 : 0, new FaultOrder(step.Point, 1, FaultAction.Kill), step.Bait);

    private static IEnumerable<FaultPoint> PointsOf(WorkerKind part, QueueKinds kind) => ProtocolSteps.Of(part, kind).Select(step => step.Point);

    // Here, so that no other process comes to the steps of creation.
    private static void Create(string directory, MessageQueueOptions options)
    {
        using var queue = MessageQueue.Open(directory, options);
        queue.OpenConsumer<RawMessage>(TortureNames.Of(0)).Dispose();
        queue.OpenConsumer<RawMessage>(TortureNames.Of(1), new() { Shared = true }).Dispose();
    }

    private void KillCreator(QueueMode mode, FaultOrder order, bool mustDie)
    {
        var directory = string.Create(CultureInfo.InvariantCulture, $"{_directory.Queue}-{order.Point}-{order.Hit}");
        using (var creator = Peer.StartWithFaults(order.ToString(), nameof(Parts.CreateQueue), directory, mode.ToString()))
        {
            Assert.True(creator.Hear() is null || !mustDie, $"The creator did not come to {order.Point}.");
        }

        using var queue = Parts.Open(directory, mode);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Publish("works"u8);
        Assert.Equal("works"u8.ToArray(), consumer.ReadCopy(TimeSpan.Zero));
    }
}
