namespace BufferedMessages.Bridges;

/// <summary>The options of a <see cref="MessageReceiver"/>.</summary>
public sealed class ReceiverOptions : BridgeOptions
{
    /// <summary>
    /// Gets or sets where a receiver without a journal begins; by default at the first entry. With <see cref="StreamStart.Latest"/> a receiver that connects again before its first entry begins at the
    /// end that the stream has then.
    /// </summary>
    public StreamStart Start { get; set; }

    /// <summary>
    /// Gets or sets whether each message is verified before it is published; by default it is, since the broker may be less trusted than the machine. A message that fails goes to the dead letters
    /// of the bridge: a durable queue of raw bytes in the folder <c>dead/bridge.name</c> of the destination.
    /// </summary>
    public bool Verify { get; set; } = true;

    /// <summary>Gets or sets how often the journal is written while messages come. After a crash the messages since then are recognized by their source in the destination.</summary>
    public TimeSpan JournalInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Gets or sets how long the broker may take to give the last entry once more when the receiver has connected again, and how long a hole may stay. After that the receiver connects again
    /// and finds out whether entries were deleted; a hole that it meets again may stay twice as long each time. If the last entry does not come at all, the stream may have been deleted and made
    /// anew; with <see cref="DeletedMessages.Skip"/> the receiver begins at the first entry then. A receiver that begins after the schema of a run reads on for as long to find the next one, before it
    /// looks for one before the run.
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
