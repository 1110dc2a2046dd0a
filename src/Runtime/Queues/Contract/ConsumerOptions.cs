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

    /// <summary>Gets or sets how the consumer waits for messages; <see cref="WaitStrategy.Adaptive"/> by default. See <see cref="WaitStrategy"/> for asynchronous waits.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not one of the enumeration's.</exception>
    public WaitStrategy Wait
    {
        get;
        set => field = ProducerOptions.Require(value);
    }

    /// <summary>
    /// Gets or sets the longest time for which a consumer that has caught up leaves new messages unread, so that several can be there when it looks; 40 microseconds by
    /// default. It does so only while messages come faster than one in a microsecond: producer and consumer are then up to several times as fast. Zero looks at once.
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
    /// Gets or sets how many messages a loop (<see cref="MessageConsumer{TPayload}.ReadAll"/>, <see cref="MessageConsumer{TPayload}.ReadAllAsync"/>) of an exclusive
    /// consumer commits by one store, at most; 1 by default. The messages that the loop is done with are committed when this number is reached, when the loop finds no more
    /// and when it ends. If the consumer dies before that, they come again, with <see cref="Delivery{TPayload}.IsRedelivery"/>.
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

    /// <summary>The options as they are now.</summary>
    /// <exception cref="ArgumentException">The options contradict each other.</exception>
    internal ConsumerOptions Copy()
    {
        if (Shared && MessagesPerCommit != 1)
        {
            throw new ArgumentException(
                $"A member of a group has one message at a time, and commits each. Set {nameof(MessagesPerCommit)} for an exclusive consumer.", "options");
        }

        return (ConsumerOptions)MemberwiseClone();
    }
}
