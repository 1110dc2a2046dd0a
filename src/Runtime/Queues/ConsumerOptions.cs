namespace BufferedMessages;

/// <summary>How a consumer is opened.</summary>
public sealed class ConsumerOptions
{
    /// <summary>
    /// Whether the name is a group's: any number of members, in any processes, open it, and together they see every message once. Without it the name is
    /// exclusive: one consumer at a time, which sees every message. A name stays what it was opened as first.
    /// </summary>
    public bool Shared { get; set; }

    /// <summary>Where a name begins that the queue does not know yet; by default at the earliest message. A known name goes on where it was.</summary>
    public QueueStart Start { get; set; }
}
