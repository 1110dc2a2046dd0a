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
    public required string Directory { get; init; }

    /// <summary>Durable or bounded.</summary>
    public required QueueMode Mode { get; init; }

    /// <summary>For one producer or for many.</summary>
    public required QueueProducers ProducersMode { get; init; }

    /// <summary>Bytes of a segment.</summary>
    public required long SegmentBytes { get; init; }

    /// <summary>How many segments a bounded queue has; 0 for a durable one.</summary>
    public required int Slots { get; init; }

    /// <summary>The first position there is: retention, or the next lap of a bounded queue, has taken what lay before.</summary>
    public required long FirstPosition { get; init; }

    /// <summary>The position behind the last message that consumers can reach. A message that is published behind one still being written counts later.</summary>
    public required long PublishedPosition { get; init; }

    /// <summary>What lies before this position is on the disk, and survives a crash of the machine; 0 where nothing is flushed.</summary>
    public required long DurablePosition { get; init; }

    /// <summary>Bytes from <see cref="FirstPosition"/> to <see cref="PublishedPosition"/>, with headers and padding.</summary>
    public long Bytes => PublishedPosition - FirstPosition;

    /// <summary>
    /// Bytes that some consumer name, or a member of a group, has not finished; all of them while there is no name.
    /// In a bounded queue this is what the producers wait for.
    /// </summary>
    public required long UnreadBytes { get; init; }

    /// <summary>How many waits of producers for space have begun since the queue was created.</summary>
    public required long SpaceWaits { get; init; }

    /// <summary>How many times a producer or consumer woke others since the queue was created.</summary>
    public required long Wakes { get; init; }

    /// <summary>The producers: those alive, and those who died and whose slot nobody has used since. By slot.</summary>
    public required IReadOnlyList<ProducerStatistics> Producers { get; init; }

    /// <summary>The consumer names, in the order in which they were added.</summary>
    public required IReadOnlyList<ConsumerStatistics> Consumers { get; init; }
}
