namespace BufferedMessages;

/// <summary>A producer or a consumer of a queue. Immutable.</summary>
public abstract class ParticipantStatistics
{
    private protected ParticipantStatistics()
    {
    }

    /// <summary>The participant's number in the queue, from 1 to 255. It is used again when the participant is gone.</summary>
    public required int Slot { get; init; }

    /// <summary>Its process, as it was written down when it opened. In containers it may be of another namespace.</summary>
    public required int ProcessId { get; init; }

    /// <summary>When its process started.</summary>
    public required DateTimeOffset ProcessStart { get; init; }

    /// <summary>
    /// The participant holds its lease: it is running, or stopped, but not dead. A dead member of a group also counts as alive while
    /// another one handles the message it had.
    /// </summary>
    public required bool IsAlive { get; init; }

    /// <summary>How many messages it has published or committed since it opened.</summary>
    public required long Messages { get; init; }

    /// <summary>Bytes of these messages, without headers.</summary>
    public required long Bytes { get; init; }
}
