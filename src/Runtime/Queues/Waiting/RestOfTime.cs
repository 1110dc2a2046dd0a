using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The rest of a timeout.</summary>
internal static class RestOfTime
{
    // The longest that a semaphore can wait: 24.8 days.
    private static TimeSpan Longest
    {
        get
        {
            var longest = TimeSpan.FromMilliseconds(int.MaxValue);
            FaultPoints.ShortenWaits(ref longest);
            return longest;
        }
    }

    /// <summary>The rest of a timeout that began at a time of the stopwatch: zero if it has expired, and infinite if the timeout is.</summary>
    public static TimeSpan Left(TimeSpan timeout, long start)
    {
        if (timeout == Timeout.InfiniteTimeSpan)
        {
            return timeout;
        }

        var rest = timeout - Stopwatch.GetElapsedTime(start);
        return rest > TimeSpan.Zero ? rest : TimeSpan.Zero;
    }

    /// <summary>The same rest in the form that a semaphore takes. A longer rest than a semaphore can wait is cut, so the caller asks again after a wait in vain.</summary>
    public static TimeSpan Of(TimeSpan timeout, long start)
    {
        var rest = Left(timeout, start);
        var longest = Longest;
        return rest < longest ? rest : longest;
    }

    /// <summary>Whether a timeout that began at a time of the stopwatch has expired.</summary>
    public static bool IsOver(TimeSpan timeout, long start) => Left(timeout, start) == TimeSpan.Zero;

    /// <summary>The shortest of three times, none of which is infinite.</summary>
    public static TimeSpan Shortest(TimeSpan first, TimeSpan second, TimeSpan third)
    {
        var shorter = first < second ? first : second;
        return shorter < third ? shorter : third;
    }
}
