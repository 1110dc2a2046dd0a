using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>The rest of a timeout.</summary>
internal static class RestOfTime
{
    // The longest that a semaphore can wait.
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(int.MaxValue);

    /// <summary>The rest of a timeout that began at a time of the stopwatch, in the form that a semaphore takes: zero if it has expired, and infinite if the timeout is.</summary>
    public static TimeSpan Of(TimeSpan timeout, long start)
    {
        if (timeout == Timeout.InfiniteTimeSpan)
        {
            return timeout;
        }

        var rest = timeout - Stopwatch.GetElapsedTime(start);
        return rest <= TimeSpan.Zero ? TimeSpan.Zero : rest < Longest ? rest : Longest;
    }

    /// <summary>The shortest of three times, none of which is infinite.</summary>
    public static TimeSpan Shortest(TimeSpan first, TimeSpan second, TimeSpan third)
    {
        var shorter = first < second ? first : second;
        return shorter < third ? shorter : third;
    }
}
