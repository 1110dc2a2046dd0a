namespace BufferedMessages;

/// <summary>The options of a producer: the properties that it adds to each message, and how it waits.</summary>
public sealed class ProducerOptions
{
    /// <summary>
    /// Gets or sets whether each message is stamped with the time of its publishing. Consumers can then start at a time, and statistics show the exact age of the oldest
    /// unread message.
    /// </summary>
    public bool StampTime { get; set; }

    /// <summary>
    /// Gets or sets whether each message is stamped with a trace context: that of a span for its publish, if a listener of the activity source <c>BufferedMessages</c> wants one, otherwise that of
    /// <see cref="System.Diagnostics.Activity.Current"/>, if there is one.
    /// </summary>
    public bool StampTrace { get; set; }

    /// <summary>Gets or sets how the producer waits for room; <see cref="WaitStrategy.Adaptive"/> by default. See <see cref="WaitStrategy"/> for asynchronous waits.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined by the enumeration.</exception>
    public WaitStrategy Wait
    {
        get;
        set => field = Require(value);
    }

    /// <summary>The options as they are now.</summary>
    internal ProducerOptions Copy() => (ProducerOptions)MemberwiseClone();

    /// <summary>Requires a strategy to be one of the enumeration's.</summary>
    internal static WaitStrategy Require(WaitStrategy value) => Enum.IsDefined(value)
        ? value
        : throw new ArgumentOutOfRangeException(nameof(value), value, "The strategy must be Adaptive, Spin or Block.");
}
