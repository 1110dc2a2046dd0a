namespace BufferedMessages.Bridges;

/// <summary>The options of a <see cref="MessageReceiver"/>.</summary>
public sealed class ReceiverOptions : BridgeOptions
{
    /// <summary>
    /// Gets or sets where a receiver without a journal begins; by default at the first entry. With <see cref="StreamStart.Latest"/>, a receiver that reconnects before its first entry begins at the
    /// end that the stream has then.
    /// </summary>
    public StreamStart Start { get; set; }

    /// <summary>
    /// Gets or sets whether each message is verified before it is published; true by default, since the broker may be less trusted than the machine. A message that fails goes to the dead letters
    /// of the bridge: a durable queue of raw bytes in the folder <c>dead/bridge.name</c> of the destination.
    /// </summary>
    public bool Verify { get; set; } = true;

    /// <summary>Gets or sets how often the journal is written while messages arrive. After a crash, the messages since the last write are recognized by their source in the destination.</summary>
    public TimeSpan JournalInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Gets or sets how long the broker may take to deliver the last entry again after the receiver has reconnected, and how long a hole may stay open. After that, the receiver reconnects and finds
    /// out whether entries were deleted. A hole that it meets again may stay open twice as long each time. If the last entry does not come at all, the stream may have been deleted and created anew;
    /// with <see cref="DeletedMessages.Skip"/>, the receiver then begins at the first entry. A receiver that begins after the schema of a run reads on for the same time to find the next schema. Only
    /// then does it look for a schema before the run.
    /// </summary>
    public TimeSpan StreamTimeout { get; set; } = TimeSpan.FromSeconds(30);

    internal override void RequireValid()
    {
        base.RequireValid();
        ArgumentOutOfRangeException.ThrowIfLessThan(JournalInterval, TimeSpan.Zero, nameof(JournalInterval));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(JournalInterval, Longest, nameof(JournalInterval));
        ArgumentOutOfRangeException.ThrowIfLessThan(StreamTimeout, TimeSpan.FromMilliseconds(1), nameof(StreamTimeout));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(StreamTimeout, Longest, nameof(StreamTimeout));
    }
}
