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

    /// <summary>Gets or sets how the consumer waits for messages; <see cref="WaitStrategy.Adaptive"/> by default. Asynchronous waits hold no thread, and have no strategy.</summary>
    public WaitStrategy Wait { get; set; }

    /// <summary>
    /// Gets or sets the longest time for which a consumer that has caught up leaves new messages unread, so that several can be there when it looks; 10 microseconds by
    /// default. It does so only while messages come faster than one in a microsecond: producer and consumer are then up to several times as fast. Zero looks at once.
    /// </summary>
    public TimeSpan MaxDelay { get; set; } = TimeSpan.FromMicroseconds(10);

    /// <summary>The options as they are now.</summary>
    /// <exception cref="ArgumentOutOfRangeException">An option has no valid value.</exception>
    internal static ConsumerOptions Checked(ConsumerOptions? options)
    {
        if (options is null)
        {
            return new ConsumerOptions();
        }

        ArgumentOutOfRangeException.ThrowIfLessThan(options.MaxDelay, TimeSpan.Zero, nameof(MaxDelay));
        ProducerOptions.Require(options.Wait);
        return new ConsumerOptions { Shared = options.Shared, Start = options.Start, Wait = options.Wait, MaxDelay = options.MaxDelay };
    }
}
