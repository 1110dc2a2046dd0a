namespace BufferedMessages;

/// <summary>The options of a producer: the properties that it gives to each message.</summary>
public sealed class ProducerOptions
{
    /// <summary>
    /// Gets or sets whether each message gets the time at which it is published. Consumers can then start at a time, and statistics tell the exact age of the oldest
    /// unread message.
    /// </summary>
    public bool StampTime { get; set; }

    /// <summary>Gets or sets whether each message gets the trace context of <see cref="System.Diagnostics.Activity.Current"/>, if there is one.</summary>
    public bool StampTrace { get; set; }
}
