namespace BufferedMessages.Bridges;

/// <summary>The state of a bridge.</summary>
public enum BridgeState
{
    /// <summary>The bridge connects for the first time.</summary>
    Connecting,

    /// <summary>The bridge is connected.</summary>
    Connected,

    /// <summary>The connection was lost or refused, or a disk is full; the bridge tries again.</summary>
    Retrying,

    /// <summary>The bridge was disposed, or was stopped by an exception, which <c>Completion</c> holds.</summary>
    Stopped,
}

/// <summary>Counts of a forwarder since it was opened. Immutable.</summary>
public sealed class ForwarderStatistics
{
    internal ForwarderStatistics()
    {
    }

    /// <summary>Gets the state.</summary>
    public BridgeState State { get; internal init; }

    /// <summary>Gets the failure after which the bridge is trying again, or which has stopped it; null if there is none.</summary>
    public Exception? Failure { get; internal init; }

    /// <summary>Gets the number of messages that were sent, including repeated ones.</summary>
    public long Sent { get; internal init; }

    /// <summary>Gets the number of messages that the broker has confirmed, including repeated ones.</summary>
    public long Confirmed { get; internal init; }

    /// <summary>Gets the number of runs that are sent and not yet confirmed.</summary>
    public int InFlightRuns { get; internal init; }

    /// <summary>Gets the number of bytes of the queue that are not confirmed; 0 if the queue cannot be read, for example because it is closed.</summary>
    public long LagBytes { get; internal init; }

    /// <summary>Gets the number of runs that the broker has refused.</summary>
    public long Refused { get; internal init; }

    /// <summary>Gets how many times the bridge has connected again.</summary>
    public long Reconnects { get; internal init; }

    /// <summary>Gets the number of messages that were too large and went to the dead letters.</summary>
    public long DeadLetters { get; internal init; }

    /// <summary>Gets how many times messages were missing because retention had deleted them.</summary>
    public long Deletions { get; internal init; }
}

/// <summary>Counts of a receiver since it was opened. Immutable.</summary>
public sealed class ReceiverStatistics
{
    internal ReceiverStatistics()
    {
    }

    /// <summary>Gets the state.</summary>
    public BridgeState State { get; internal init; }

    /// <summary>Gets the failure after which the bridge is trying again, or which has stopped it; null if there is none.</summary>
    public Exception? Failure { get; internal init; }

    /// <summary>Gets the number of messages that were published in the destination.</summary>
    public long Received { get; internal init; }

    /// <summary>Gets the number of messages that were dropped because they had come before.</summary>
    public long Duplicates { get; internal init; }

    /// <summary>Gets the number of runs that were dropped because messages before them were missing. They come again.</summary>
    public long Holes { get; internal init; }

    /// <summary>Gets how many times messages were missing because retention had deleted them, in the source or in the stream.</summary>
    public long Deletions { get; internal init; }

    /// <summary>Gets the number of messages or entries that were damaged and went to the dead letters.</summary>
    public long DeadLetters { get; internal init; }

    /// <summary>Gets the number of entries of the stream that were skipped because a bridge did not write them.</summary>
    public long Foreign { get; internal init; }

    /// <summary>Gets how many times the bridge has connected again.</summary>
    public long Reconnects { get; internal init; }

    /// <summary>Gets the offset of the last entry that was read; null if there is none.</summary>
    public StreamOffset? Offset { get; internal init; }

    /// <summary>Gets the time since the journal was last written; null if it has not been written yet.</summary>
    public TimeSpan? JournalAge { get; internal init; }
}
