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
}
