namespace BufferedMessages.Caching;

/// <summary>The times of one entry, in milliseconds since 1970 UTC; 0 is never.</summary>
/// <param name="First">The time at which it expires unless it is read.</param>
/// <param name="Latest">The time at which it expires in any case.</param>
/// <param name="Window">The time by which a read prolongs it; 0 when reads do not.</param>
internal readonly record struct ExpiryTimes(long First, long Latest, long Window)
{
    public const long Never = 0;

    private static readonly long End = DateTimeOffset.MaxValue.ToUnixTimeMilliseconds();

    public bool IsSliding => Window != 0;

    public static long Now(TimeProvider clock) => clock.GetUtcNow().ToUnixTimeMilliseconds();

    public static ExpiryTimes Fixed(long latest) => new(latest, latest, Window: 0);

    public static ExpiryTimes Sliding(long now, long latest, long window) => new(Slide(now, latest, window), latest, window);

    /// <summary>Calculates the expiry of an entry that is read now.</summary>
    public static long Slide(long now, long latest, long window)
    {
        var next = Add(now, window);
        return latest == Never || (next != Never && next < latest) ? next : latest;
    }

    /// <summary>Adds to a time; never when the sum is after the end of the calendar.</summary>
    public static long Add(long now, long milliseconds) => milliseconds > End - now ? Never : now + milliseconds;

    /// <summary>Converts a time, rounded up, so that an entry does not expire early.</summary>
    public static long Milliseconds(TimeSpan time) => (time.Ticks / TimeSpan.TicksPerMillisecond) + (time.Ticks % TimeSpan.TicksPerMillisecond == 0 ? 0 : 1);
}
