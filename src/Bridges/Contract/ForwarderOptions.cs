namespace BufferedMessages.Bridges;

/// <summary>The options of a <see cref="MessageForwarder"/>.</summary>
public sealed class ForwarderOptions : BridgeOptions
{
    /// <summary>
    /// Gets or sets the maximum number of messages in a run, which is one entry of the stream. With 1, the body of an entry is the message alone, so that programs without this library can read it.
    /// </summary>
    public int BatchMessages { get; set; } = 256;

    /// <summary>Gets or sets the size of a run's body, in bytes, at which the run is sent. Its last message may make it larger.</summary>
    public int BatchBytes { get; set; } = 256 * 1024;

    /// <summary>Gets or sets how long an incomplete run waits for more messages; by default not at all.</summary>
    public TimeSpan BatchDelay { get; set; }

    /// <summary>Gets or sets the maximum number of runs that are sent and not yet confirmed. More than 128 make a RabbitMQ stream slower.</summary>
    public int MaxInFlightRuns { get; set; } = 128;

    /// <summary>Gets or sets the size of the runs in flight, in bytes, at which no further run is sent.</summary>
    public long MaxInFlightBytes { get; set; } = 8 * 1024 * 1024;

    /// <summary>
    /// Gets or sets whether only messages that are on the disk of this machine are forwarded. A crash of the machine then cannot take back a message that another machine has. Null means yes if the
    /// queue has a flush mode.
    /// </summary>
    public bool? DurableOnly { get; set; }

    /// <summary>Gets or sets where a new name begins; by default at the earliest message.</summary>
    public QueueStart Start { get; set; }

    /// <summary>Gets or sets how the bridge handles a message that is too large for the stream.</summary>
    public OversizedMessages OnTooLarge { get; set; }

    /// <summary>How long a connection sends runs without the schema. A receiver that begins in the middle of the stream finds it after at most this time. Only tests change it.</summary>
    internal TimeSpan SchemaInterval { get; set; } = TimeSpan.FromSeconds(10);

    internal override void RequireValid()
    {
        base.RequireValid();
        RequireDefined(OnTooLarge, nameof(OnTooLarge));
        ArgumentOutOfRangeException.ThrowIfLessThan(BatchMessages, 1, nameof(BatchMessages));
        ArgumentOutOfRangeException.ThrowIfLessThan(BatchBytes, 1, nameof(BatchBytes));
        ArgumentOutOfRangeException.ThrowIfLessThan(BatchDelay, TimeSpan.Zero, nameof(BatchDelay));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(BatchDelay, Longest, nameof(BatchDelay));
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxInFlightRuns, 1, nameof(MaxInFlightRuns));
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxInFlightBytes, 1, nameof(MaxInFlightBytes));
    }
}

/// <summary>The ways to go on when a message is too large for the stream.</summary>
public enum OversizedMessages
{
    /// <summary>The bridge stops with a <see cref="MessageTooLargeException"/>.</summary>
    Stop,

    /// <summary>The message goes to the dead letters of the bridge: a durable queue in the folder <c>dead/bridge.name</c> of the queue.</summary>
    DeadLetter,
}
