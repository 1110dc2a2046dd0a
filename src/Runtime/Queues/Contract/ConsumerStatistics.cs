namespace BufferedMessages;

/// <summary>The statistics of a consumer name, whether it has a consumer now or not. Immutable.</summary>
public sealed class ConsumerStatistics
{
    internal ConsumerStatistics()
    {
    }

    /// <summary>Gets the name.</summary>
    public string Name { get; internal init; } = "";

    /// <summary>Gets whether the name is a group's, whose members share the messages; otherwise one consumer sees all of them.</summary>
    public bool IsGroup { get; internal init; }

    /// <summary>Gets the cursor: the position, in bytes, of the next message to read, or to deliver to a member.</summary>
    public long Position { get; internal init; }

    /// <summary>
    /// Gets the lag: the bytes from <see cref="Position"/> to the queue's published position, with headers and padding. Messages in flight, which members
    /// have taken and not committed, are not counted.
    /// </summary>
    public long LagBytes { get; internal init; }

    /// <summary>
    /// Gets the age of the oldest unread message, the one at <see cref="Position"/>; null if there is none. For a message without a time in its properties
    /// (<see cref="ProducerOptions.StampTime"/>) it is the time since its segment was opened, and so too high.
    /// </summary>
    public TimeSpan? OldestUnreadAge { get; internal init; }

    /// <summary>Gets the consumer, or the members of the group: the live ones, and dead ones whose slot has not been used since. Ordered by slot.</summary>
    public IReadOnlyList<ParticipantStatistics> Members { get; internal init; } = [];
}
