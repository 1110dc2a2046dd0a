using BufferedMessages.CrossProcess.Torture;
using BufferedMessages.Segments;
using static BufferedMessages.CrossProcess.QueueKinds;
using static BufferedMessages.Segments.FaultPoint;

namespace BufferedMessages.CrossProcess;

/// <summary>Which steps of the protocol a process comes to, by the part it plays and the kind of queue. Creating a queue and a name is not among them.</summary>
internal static class ProtocolSteps
{
    // A dead producer's reservation is met by a reader; a dead member's message is adopted by another member.
    private static readonly Victim DyingProducer = new(WorkerKind.Producer, 0, new FaultOrder(MidPayload, 1, FaultAction.Kill));
    private static readonly Victim DyingMember = new(WorkerKind.Member, 1, new FaultOrder(MidRead, 1, FaultAction.Kill));

    // Whoever takes a seat buries its last owner first, and does so when there was none.
    private static readonly ProtocolStep[] Opening =
        [new(MembershipLocked), new(ReclaimBegun), new(ReclaimNearlyDone), new(SlotLeased), new(SlotCleared), new(SlotSigned)];

    private static readonly ProtocolStep[] Leaving = [new(FaultPoint.Leaving), new(OwnerCleared), new(RoleCleared)];

    private static readonly ProtocolStep[] Producer =
    [
        .. Opening,

        // Whoever takes the only producer's place buries the dead one. Many take free seats as long as there are any: FewSeatsTests leaves none.
        .. In(QueueKinds.Single, ReclaimLocksOpened, ReclaimClaimSettled, ProducerWritten),

        // A single producer has a tail of its own, and opens the next segment before it pads the last one. Many share a hint.
        .. In(All, BeforeClaim, AfterClaim, MidPayload, MidObject, AfterShorten, AfterAbandon, AfterEndPadding, BeforePublish, AfterPublish, BeforeWake),
        .. In(All, BatchRecordWritten, BeforeBatchPublish, AfterBatchPublish),
        .. In(Many, AfterTailHint),
        .. In(QueueKinds.Single, NextSegmentOpened, WrittenInPlace),

        // A slot is reused when all have read it, so producers look who has, and wait. A durable queue without limits has always room.
        .. In(Bounded, WatermarkBetweenWords, SlotLocked, SlotOpening, SlotHalfFilled, SlotOpen, SlotUnlocked, WaiterCounted, WaiterMarked, WaiterUnmarked),
        .. In(Durable, FileAllocated, FileInitialised, FileFlushed, FileNamed, FileRenamed, SpareTaken, SegmentCounted),
        .. Leaving,
    ];

    private static readonly ProtocolStep[] Consumer =
    [
        .. Opening,
        .. In(All, OwnerWritten, BeforeCursorStore, AfterCursorStore, ReadPositionStored, MidRead, WaiterCounted, WaiterMarked, WaiterUnmarked),
        new(DeathFound, Bait: DyingProducer),
        new(DeathResolved, Bait: DyingProducer),

        // Only where producers wait for space does a reader wake somebody.
        .. In(Bounded, BeforeWake),
        .. Leaving,
    ];

    private static readonly ProtocolStep[] Member =
    [
        .. Opening,
        .. In(All, MemberAnnounced, MemberConfirmed, MemberClaimed, MidRead, MemberFinishing, MemberFinished, WaiterCounted, WaiterMarked, WaiterUnmarked),

        // For a crash of the machine members note what their group is done with.
        new(WatermarkBetweenWords),

        // Who closes with a message finds it in the seat when it opens again before another member has adopted it.
        new(SlotTakenOver),
        new(DeathFound, Bait: DyingProducer),
        new(DeathResolved, Bait: DyingProducer),
        new(TakeoverLeased, Bait: DyingMember),
        new(TakeoverDelivering, Bait: DyingMember),
        new(TakeoverCleared, Bait: DyingMember),
        .. In(Bounded, BeforeWake),
        .. Leaving,
    ];

    /// <summary>The steps that such a part takes in a queue of one kind.</summary>
    public static IEnumerable<ProtocolStep> Of(WorkerKind part, QueueKinds kind) =>
        (part switch { WorkerKind.Producer => Producer, WorkerKind.Consumer => Consumer, _ => Member }).Where(step => step.Kinds.HasFlag(kind));

    private static IEnumerable<ProtocolStep> In(QueueKinds kinds, params FaultPoint[] points) => points.Select(point => new ProtocolStep(point, kinds));
}

/// <summary>A step, and where it is taken.</summary>
/// <param name="Point">The step.</param>
/// <param name="Kinds">The queues in which it is taken.</param>
/// <param name="Bait">A process that must die before another one comes to the step.</param>
internal sealed record ProtocolStep(FaultPoint Point, QueueKinds Kinds = All, Victim? Bait = null);

/// <summary>The four kinds of queues.</summary>
[Flags]
internal enum QueueKinds
{
    BoundedMultiple = 1,
    BoundedSingle = 2,
    DurableMultiple = 4,
    DurableSingle = 8,
    Bounded = BoundedMultiple | BoundedSingle,
    Durable = DurableMultiple | DurableSingle,
    Many = BoundedMultiple | DurableMultiple,
    Single = BoundedSingle | DurableSingle,
    All = Bounded | Durable,
}
