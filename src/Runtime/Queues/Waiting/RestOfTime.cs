using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>The rest of a timeout, as a semaphore takes it.</summary>
internal static class RestOfTime
{
    // The longest that a semaphore can wait.
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(int.MaxValue);

    /// <summary>The rest of a timeout that began at a time of the stopwatch: zero when it is over, and infinite if it has no end.</summary>
    public static TimeSpan Of(TimeSpan timeout, long start)
    {
        if (timeout == Timeout.InfiniteTimeSpan)
        {
            return timeout;
        }

        var rest = timeout - Stopwatch.GetElapsedTime(start);
        return rest <= TimeSpan.Zero ? TimeSpan.Zero : rest < Longest ? rest : Longest;
    }
}
