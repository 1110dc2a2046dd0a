namespace BufferedMessages;

/// <summary>The options of a consumer.</summary>
public sealed class ConsumerOptions
{
    /// <summary>
    /// Gets or sets whether the name is a group's, which any number of members in any processes can open; together, they see every message once. If false, the
    /// name is exclusive: one consumer at a time opens it and sees every message. The first time that a name is opened fixes its kind.
    /// </summary>
    public bool Shared { get; set; }

    /// <summary>Gets or sets where a new name begins; by default, at the earliest message. An existing name continues at its cursor.</summary>
    public QueueStart Start { get; set; }

    /// <summary>Gets or sets how the consumer waits for messages; <see cref="WaitStrategy.Adaptive"/> by default. See <see cref="WaitStrategy"/> for asynchronous waits.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined by the enumeration.</exception>
    public WaitStrategy Wait
    {
        get;
        set => field = ProducerOptions.Require(value);
    }

    /// <summary>
    /// Gets or sets the longest time for which a consumer that has caught up leaves new messages unread, so that it finds several at once; 40 microseconds by
    /// default. It does so only while more than one message arrives per microsecond, and makes producer and consumer up to several times as fast. Zero reads at once.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative.</exception>
    public TimeSpan MaxDelay
    {
        get;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
            field = value;
        }
    } = TimeSpan.FromMicroseconds(40);

    /// <summary>
    /// Gets or sets the maximum number of messages that a loop (<see cref="MessageConsumer{TPayload}.ReadAll"/>, <see cref="MessageConsumer{TPayload}.ReadAllAsync"/>) of an exclusive
    /// consumer commits with one store; 1 by default. The loop commits the messages that it has finished when it reaches this number, when it finds no more messages,
    /// and when it ends. If the consumer dies before that, they are delivered again, with <see cref="Delivery{TPayload}.IsRedelivery"/>.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The number is less than 1.</exception>
    public int MessagesPerCommit
    {
        get;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            field = value;
        }
    } = 1;

    /// <summary>Gets whether a name that is not there is refused, and not added: another process may have deleted it since it was seen.</summary>
    internal bool MustExist { get; init; }

    /// <summary>Where a new name begins; null if none may be added.</summary>
    internal QueueStart? StartOfNew => MustExist ? null : Start;

    /// <summary>The options as they are now.</summary>
    /// <exception cref="ArgumentException">The options contradict each other.</exception>
    internal ConsumerOptions Copy()
    {
        if (Shared && MessagesPerCommit != 1)
        {
            throw new ArgumentException(
                $"A member of a group reads one message at a time, and commits each one. Set {nameof(MessagesPerCommit)} only for an exclusive consumer.", "options");
        }

        return (ConsumerOptions)MemberwiseClone();
    }
}
