namespace BufferedMessages;

/// <summary>
/// The statistics of a queue, as <see cref="MessageQueue.GetStatistics"/> found them. Immutable and thread-safe. The numbers are read one
/// after the other while the queue runs: each was true at some time during the call, and no cursor is ahead of the published position.
/// Positions and sizes are bytes; a record has a header of 16 bytes and is a multiple of 16.
/// </summary>
public sealed class QueueStatistics
{
    internal QueueStatistics()
    {
    }

    /// <summary>Gets the full path of the queue's directory.</summary>
    public string Path { get; internal init; } = "";

    /// <summary>Gets whether the queue is durable or bounded.</summary>
    public QueueMode Mode { get; internal init; }

    /// <summary>Gets whether the queue is for one producer or for many.</summary>
    public ProducerMode ProducerMode { get; internal init; }

    /// <summary>Gets the size of a segment in bytes.</summary>
    public long SegmentBytes { get; internal init; }

    /// <summary>Gets the number of segments of a bounded queue; 0 for a durable one.</summary>
    public int Slots { get; internal init; }

    /// <summary>Gets the first position that is still in the queue. Retention, or the next lap of a bounded queue, took everything before it.</summary>
    public long FirstPosition { get; internal init; }

    /// <summary>Gets the position after the last message that consumers can reach. A message that is published after one that is still being written does not count yet.</summary>
    public long PublishedPosition { get; internal init; }

    /// <summary>Gets the position before which everything is on the disk, and survives a crash of the machine; 0 if nothing is flushed.</summary>
    public long DurablePosition { get; internal init; }

    /// <summary>Gets the number of bytes from <see cref="FirstPosition"/> to <see cref="PublishedPosition"/>, with headers and padding.</summary>
    public long Bytes => PublishedPosition - FirstPosition;

    /// <summary>
    /// Gets the number of bytes that some consumer name, or a member of a group, has not finished; all bytes while there is no name.
    /// In a bounded queue the producers wait for these.
    /// </summary>
    public long UnreadBytes { get; internal init; }

    /// <summary>Gets the number of waits of producers for space since the queue was created.</summary>
    public long SpaceWaits { get; internal init; }

    /// <summary>Gets the number of times a producer or consumer woke others since the queue was created.</summary>
    public long Wakes { get; internal init; }

    /// <summary>Gets the producers: the live ones, and dead ones whose slot has not been used since. Ordered by slot.</summary>
    public IReadOnlyList<ParticipantStatistics> Producers { get; internal init; } = [];

    /// <summary>Gets the consumer names, in the order of their places in the queue: a new name takes the place of a deleted one, and otherwise the next.</summary>
    public IReadOnlyList<ConsumerStatistics> Consumers { get; internal init; } = [];
}
