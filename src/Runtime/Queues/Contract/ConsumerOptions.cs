namespace BufferedMessages;

/// <summary>The options of a consumer.</summary>
public sealed class ConsumerOptions
{
    /// <summary>
    /// Gets or sets whether the name is a group's: any number of members, in any processes, open it, and together they see every message once. If not, the
    /// name is exclusive: one consumer at a time, which sees every message. A name stays of the kind it was opened as first.
    /// </summary>
    public bool Shared { get; set; }

    /// <summary>Gets or sets where a new name begins; by default at the earliest message. A known name continues at its cursor.</summary>
    public QueueStart Start { get; set; }
}
