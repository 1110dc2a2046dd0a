namespace BufferedMessages;

/// <summary>A producer of a queue, the consumer of a name, or a member of a group. Immutable.</summary>
public sealed class ParticipantStatistics
{
    internal ParticipantStatistics()
    {
    }

    /// <summary>The participant's number in the queue, from 1 to 255. It is used again when the participant is gone.</summary>
    public int Slot { get; internal init; }

    /// <summary>Its process, as it was written down when it opened. In containers it may be of another namespace.</summary>
    public int ProcessId { get; internal init; }

    /// <summary>When its process started.</summary>
    public DateTimeOffset ProcessStart { get; internal init; }

    /// <summary>
    /// The participant holds its lease: it is running, or stopped, but not dead. A dead member of a group also counts as alive while
    /// another one handles the message it had.
    /// </summary>
    public bool IsAlive { get; internal init; }

    /// <summary>How many messages it has published or committed since it opened.</summary>
    public long Messages { get; internal init; }

    /// <summary>Bytes of these messages, without headers.</summary>
    public long Bytes { get; internal init; }

    /// <summary>
    /// Of a producer, the position of the message that it published last or is about to publish; of a member of a group, that of the message that it has
    /// taken and not committed, or null; of an exclusive consumer, null. In bytes.
    /// </summary>
    public long? Position { get; internal init; }
}
