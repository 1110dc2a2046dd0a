using System.Globalization;
using BufferedMessages.CrossProcess.Torture;
using BufferedMessages.Segments;
using static BufferedMessages.Segments.FaultPoint;

namespace BufferedMessages.CrossProcess;

/// <summary>A process is killed at every step of every operation, one step after the other, while others publish and read.</summary>
public sealed class FaultPointTests : IDisposable
{
    private static readonly FaultPoint[] OpeningPoints = [RegistrarAcquired, SeatLeased, SeatCleared, SeatSigned];
    private static readonly FaultPoint[] LeavingPoints = [Leaving, OwnerCleared, RoleCleared];
    private static readonly FaultPoint[] WaitingPoints = [WaiterCounted, WaiterMarked, WaiterUnmarked];
    private static readonly FaultPoint[] PublishPoints =
        [BeforeClaim, AfterClaim, MidPayload, AfterShorten, BeforePublish, AfterPublish, BeforeWake, AfterAbandon, AfterEndPadding];

    private static readonly FaultPoint[] SlotPoints = [SlotLocked, SlotOpening, SlotHalfFilled, SlotOpen, SlotUnlocked];
    private static readonly FaultPoint[] FilePoints = [FileAllocated, FileInitialised, FileFlushed, FileNamed, FileRenamed, SegmentCounted];
    private static readonly FaultPoint[] TakeoverPoints = [BurialBegun, BurialNearlyDone];
    private static readonly FaultPoint[] MemberPoints = [MemberAnnounced, MemberConfirmed, MemberClaimed, MidRead, MemberFinishing, MemberFinished];
    private static readonly FaultPoint[] AdoptionPoints = [AdoptionLeased, AdoptionDelivering, AdoptionCleared];

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    public static TheoryData<QueueMode, QueueProducers, string> Operations()
    {
        var data = new TheoryData<QueueMode, QueueProducers, string>();
        foreach (var operation in new[] { "publish", "read", "take" })
        {
            data.Add(QueueMode.Bounded, QueueProducers.Many, operation);
            data.Add(QueueMode.Durable, QueueProducers.Single, operation);
        }

        return data;
    }

    [UnixTheory]
    [MemberData(nameof(Operations))]
    public void A_process_killed_at_any_step_hurts_nobody_else(QueueMode mode, QueueProducers producers, string operation)
    {
        var options = new MessageQueueOptions
        {
            Mode = mode,
            Producers = producers,
            SegmentBytes = MessageQueueOptions.MinSegmentBytes,
            Slots = mode == QueueMode.Bounded ? 2 : null,
        };
        using var pool = new WorkerPool(2);
        using var round = new Round(
            new RoundPlan(options, producers == QueueProducers.Many ? 2 : 1, [0, 1], 98, TimeSpan.FromSeconds(1))
            {
                HasRandomFaults = false,
                Victims = [.. VictimsOf(mode, producers, operation)],
            },
            seed: 1,
            pool,
            _directory.Queue);

        var tally = round.Run();

        Assert.True(tally.IsClean, $"{tally}\n{round.Report}");
        Assert.Equal([], round.Spared);
    }

    [UnixTheory]
    [InlineData(QueueMode.Bounded)]
    [InlineData(QueueMode.Durable)]
    public void A_creator_killed_at_any_step_leaves_a_queue_that_can_be_opened_or_created(QueueMode mode)
    {
        FaultPoint[] creation = [DirectoryCreated, FileAllocated, FileInitialised, FileFlushed, FileNamed, FileRenamed, NameWritten, NamePlaced];
        FaultPoint[] own = mode == QueueMode.Bounded ? [RingCreated, .. SlotPoints] : [SegmentCounted];
        foreach (var point in (FaultPoint[])[.. creation, .. own, .. OpeningPoints, OwnerWritten])
        {
            for (var hit = 1; hit <= 2; hit++)
            {
                KillCreator(mode, new FaultOrder(point, hit, FaultAction.Kill), mustDie: hit == 1);
            }
        }
    }

    private static IEnumerable<Victim> VictimsOf(QueueMode mode, QueueProducers producers, string operation)
    {
        FaultPoint[] segmentPoints = mode == QueueMode.Bounded ? SlotPoints : FilePoints;
        FaultPoint[] modePoints = producers == QueueProducers.Many
            ? [AfterTailHint]
            : [ProducerWritten, NextSegmentOpened, BurialLocksOpened, BurialClaimSettled, .. TakeoverPoints];
        switch (operation)
        {
            case "publish":
                return Victims(WorkerKind.Producer, 0, [.. OpeningPoints, .. PublishPoints, .. modePoints, .. segmentPoints, .. LeavingPoints]);
            case "read":
                var readers = Victims(
                    WorkerKind.Consumer, 0, [.. OpeningPoints, OwnerWritten, .. TakeoverPoints, BeforeCursorStore, AfterCursorStore, MidRead, .. WaitingPoints, .. LeavingPoints]);

                // A dead producer's reservation is met by a reader, whom that kills, and then by another.
                var bait = new Victim(WorkerKind.Producer, 0, new FaultOrder(MidPayload, 1, FaultAction.Kill));
                return producers == QueueProducers.Many
                    ? [.. readers, .. Victims(WorkerKind.Consumer, 0, [DeathFound, DeathResolved], bait), .. Victims(WorkerKind.Member, 1, [DeathFound, DeathResolved], bait)]
                    : readers;
            default:
                var dyingMember = new Victim(WorkerKind.Member, 1, new FaultOrder(MidRead, 1, FaultAction.Kill));
                return
                [
                    .. Victims(WorkerKind.Member, 1, [.. MemberPoints, .. WaitingPoints, .. LeavingPoints]),
                    .. Victims(WorkerKind.Member, 1, AdoptionPoints, dyingMember),
                ];
        }
    }

    private static IEnumerable<Victim> Victims(WorkerKind kind, int name, FaultPoint[] points, Victim? bait = null) =>
        points.Select(point => new Victim(kind, name, new FaultOrder(point, 1, FaultAction.Kill), bait));

    private void KillCreator(QueueMode mode, FaultOrder order, bool mustDie)
    {
        var directory = string.Create(CultureInfo.InvariantCulture, $"{_directory.Queue}-{order.Point}-{order.Hit}");
        using (var creator = Peer.StartWithFaults(order.ToString(), nameof(Parts.CreateQueue), directory, mode.ToString()))
        {
            Assert.True(creator.Hear() is null || !mustDie, $"The creator did not come to {order.Point}.");
        }

        using var queue = Parts.Open(directory, mode);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer("all");
        producer.Publish("works"u8);
        Assert.True(consumer.TryRead(out var lease));
        Assert.Equal("works"u8, lease.Payload);
        lease.Commit();
    }
}
