namespace BufferedMessages.Hosting;

/// <summary>The rules for the times of requests.</summary>
internal static class RequestTimeout
{
    // The longest time that a timer can wait, rounded down.
    public static readonly TimeSpan Longest = TimeSpan.FromDays(24);

    /// <summary>Whether a request can wait for this time.</summary>
    public static bool IsValid(TimeSpan timeout) => timeout == Timeout.InfiniteTimeSpan || (timeout > TimeSpan.Zero && timeout <= Longest);

    /// <exception cref="ArgumentOutOfRangeException">A request cannot wait for this time.</exception>
    public static TimeSpan Require(TimeSpan timeout) =>
        IsValid(timeout)
            ? timeout
            : throw new ArgumentOutOfRangeException(nameof(timeout), timeout, FormattableString.Invariant($"The time must be positive and at most {Longest}, or infinite."));
}
