namespace BufferedMessages.Segments;

/// <summary>The steps of the protocol at which a test can kill or pause a process, in the order in which an operation takes them.</summary>
internal enum FaultPoint
{
    // Creation of a queue and of files.
    DirectoryCreated,
    FileAllocated,
    FileInitialised,
    FileFlushed,
    FileNamed,
    FileRenamed,
    RingCreated,

    // The membership lock, and taking a slot.
    MembershipLocked,
    NameWritten,
    NamePlaced,
    SlotLeased,
    SlotCleared,
    SlotTakenOver,
    SlotSigned,
    ProducerWritten,
    OwnerWritten,

    // Reclaim of a dead participant's slot.
    ReclaimBegun,
    ReclaimLocksOpened,
    ReclaimClaimSettled,
    ReclaimNearlyDone,

    // Claim and publish.
    BeforeClaim,
    AfterClaim,
    AfterTailHint,
    AfterEndPadding,
    MidPayload,
    MidObject,
    WrittenInPlace,
    AfterShorten,
    BeforePublish,
    AfterPublish,
    AfterAbandon,
    BatchRecordWritten,
    BeforeBatchPublish,
    AfterBatchPublish,

    // Opening a segment.
    SlotLocked,
    SlotOpening,
    SlotHalfFilled,
    SlotOpen,
    SlotUnlocked,
    SpareTaken,
    NextSegmentOpened,
    SegmentCounted,

    // Reading.
    BeforeCursorStore,
    AfterCursorStore,
    ReadPositionStored,
    MidRead,
    DeathFound,
    DeathResolved,

    // A group's member.
    WatermarkBetweenWords,
    MemberAnnounced,
    MemberConfirmed,
    MemberClaimed,
    MemberFinishing,
    MemberFinished,
    TakeoverLeased,
    TakeoverDelivering,
    TakeoverCleared,

    // Waiting and waking.
    WaiterCounted,
    WaiterMarked,
    WaiterUnmarked,
    BeforeWake,

    // Leaving.
    Leaving,
    OwnerCleared,
    RoleCleared,

    // Deletion of a queue.
    DeletionBegun,
    DeletionNearlyDone,
}
