namespace BufferedMessages;

/// <summary>The way in which a consumer waits for messages, and a producer for room.</summary>
/// <remarks>
/// An asynchronous wait polls for up to 20 microseconds if that paid off recently, and for less than one if not; then it releases its thread until it is woken. With
/// <see cref="Block"/> it releases the thread at once.
/// </remarks>
public enum WaitStrategy
{
    /// <summary>
    /// Polls for about twice as long as it takes to wake a sleeper on this machine if that paid off recently, and for a microsecond if not; then sleeps until it is woken.
    /// </summary>
    Adaptive,

    /// <summary>Polls and never sleeps: the lowest latency, at the cost of a core.</summary>
    Spin,

    /// <summary>Sleeps at once until it is woken: the least use of the processor.</summary>
    Block,
}
