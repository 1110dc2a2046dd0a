namespace BufferedMessages;

/// <summary>The kinds of events that a queue reports.</summary>
public enum QueueEventKind
{
    /// <summary>The queue was repaired after a crash of the machine. Position is where it ends now, Bytes the bytes that were cut off there.</summary>
    Repaired,

    /// <summary>
    /// The slot of a participant that died was freed, or taken by another member of its group. ProcessId is that of its process; Consumer is null for a producer. A member that was closed
    /// with a message it had not committed is reported too.
    /// </summary>
    SlotFreed,

    /// <summary>A dead producer's unfinished message, or batch, was discarded: Position and Bytes are those of its record, ProcessId the dead producer's.</summary>
    ClaimDiscarded,

    /// <summary>
    /// Messages that were delivered but not committed are delivered again. For a group, Position and Bytes are those of one message and ProcessId is that of the member it was delivered to;
    /// for an exclusive consumer, Position is that of the first message.
    /// </summary>
    Redelivery,

    /// <summary>Retention deleted segments. Position is the first one that remains, Bytes the bytes that were deleted.</summary>
    SegmentsDeleted,

    /// <summary>Retention deleted messages that a consumer name had not read. Position is where the name can continue, Bytes the bytes of records that it lost. Reported for each such name.</summary>
    UnreadDeleted,

    /// <summary>A flush failed; Position is where the last good one ended. Reported again only after a flush has succeeded.</summary>
    FlushFailed,

    /// <summary>The disk had no room for a segment. Position is that of the segment, Bytes its size. Reported again only after a segment was created.</summary>
    DiskFull,

    /// <summary>The queue's files were deleted, replaced or truncated. Its producers and consumers are closed; open the queue again.</summary>
    FilesLost,
}
