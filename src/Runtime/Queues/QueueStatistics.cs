namespace BufferedMessages;

/// <summary>
/// What a queue is doing, as <see cref="MessageQueue.GetStatistics"/> found it. Immutable, and safe for all threads. The numbers are read one
/// after the other while the queue runs: each was true at some time during the call, and no consumer is ahead of what was published.
/// Positions and sizes are bytes; a record has a header of 16 bytes and is a multiple of 16.
/// </summary>
public sealed class QueueStatistics
{
    internal QueueStatistics()
    {
    }

    /// <summary>The full path of the queue's directory.</summary>
    public string Path { get; internal init; } = "";

    /// <summary>Durable or bounded.</summary>
    public QueueMode Mode { get; internal init; }

    /// <summary>For one producer or for many.</summary>
    public ProducerMode ProducerMode { get; internal init; }

    /// <summary>Bytes of a segment.</summary>
    public long SegmentBytes { get; internal init; }

    /// <summary>How many segments a bounded queue has; 0 for a durable one.</summary>
    public int Slots { get; internal init; }

    /// <summary>The first position there is: retention, or the next lap of a bounded queue, has taken what lay before.</summary>
    public long FirstPosition { get; internal init; }

    /// <summary>The position behind the last message that consumers can reach. A message that is published behind one still being written counts later.</summary>
    public long PublishedPosition { get; internal init; }

    /// <summary>What lies before this position is on the disk, and survives a crash of the machine; 0 where nothing is flushed.</summary>
    public long DurablePosition { get; internal init; }

    /// <summary>Bytes from <see cref="FirstPosition"/> to <see cref="PublishedPosition"/>, with headers and padding.</summary>
    public long Bytes => PublishedPosition - FirstPosition;

    /// <summary>
    /// Bytes that some consumer name, or a member of a group, has not finished; all of them while there is no name.
    /// In a bounded queue this is what the producers wait for.
    /// </summary>
    public long UnreadBytes { get; internal init; }

    /// <summary>How many waits of producers for space have begun since the queue was created.</summary>
    public long SpaceWaits { get; internal init; }

    /// <summary>How many times a producer or consumer woke others since the queue was created.</summary>
    public long Wakes { get; internal init; }

    /// <summary>The producers: those alive, and those who died and whose slot nobody has used since. By slot.</summary>
    public IReadOnlyList<ParticipantStatistics> Producers { get; internal init; } = [];

    /// <summary>The consumer names, in the order in which they were added.</summary>
    public IReadOnlyList<ConsumerStatistics> Consumers { get; internal init; } = [];
}
