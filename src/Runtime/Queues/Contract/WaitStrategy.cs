namespace BufferedMessages;

/// <summary>How a consumer waits for messages, and a producer for room. A wait that is over at once needs no strategy.</summary>
/// <remarks>
/// An asynchronous wait looks for up to 20 microseconds if that paid lately, and for less than one if not; then it gives its thread back until it is woken. With
/// <see cref="Block"/> it gives the thread back at once.
/// </remarks>
public enum WaitStrategy
{
    /// <summary>
    /// Looks for about twice as long as it takes to wake a sleeper on this machine, if that paid lately, and for a microsecond if not; then sleeps until it is woken.
    /// </summary>
    Adaptive,

    /// <summary>Looks until it is there, and never sleeps: the shortest delay, for the price of a core.</summary>
    Spin,

    /// <summary>Sleeps at once until it is woken: the least work of the processor.</summary>
    Block,
}
