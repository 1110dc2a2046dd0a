namespace BufferedMessages;

/// <summary>The statistics of a producer of a queue, the consumer of a name, or a member of a group. Immutable.</summary>
public sealed class ParticipantStatistics
{
    internal ParticipantStatistics()
    {
    }

    /// <summary>Gets the participant's number in the queue, from 1 to 255. It is reused after the participant is gone.</summary>
    public int Slot { get; internal init; }

    /// <summary>Gets the id of its process, as recorded when it opened. In a container, it may be from another namespace.</summary>
    public int ProcessId { get; internal init; }

    /// <summary>Gets the time at which its process started.</summary>
    public DateTimeOffset ProcessStart { get; internal init; }

    /// <summary>
    /// Gets whether the participant holds its lease: it is running or stopped, but not dead. A dead member of a group also counts as alive while
    /// another one handles its message.
    /// </summary>
    public bool IsAlive { get; internal init; }

    /// <summary>Gets the number of messages it has published or committed since it opened.</summary>
    public long Messages { get; internal init; }

    /// <summary>Gets the number of bytes of these messages, without headers.</summary>
    public long Bytes { get; internal init; }

    /// <summary>
    /// Gets the position, in bytes, of the message that a producer published last or is about to publish, or of the message that a group's member has
    /// in flight. Null for an exclusive consumer, and for a member without a message.
    /// </summary>
    public long? Position { get; internal init; }
}
