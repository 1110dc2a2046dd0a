namespace BufferedMessages.Caching;

/// <summary>The times of one entry, in milliseconds since 1970 UTC; 0 is never.</summary>
/// <param name="First">When it expires if nobody reads it.</param>
/// <param name="Latest">When it expires in any case.</param>
/// <param name="Window">How long a read keeps it alive; 0 when reads do not.</param>
internal readonly record struct ExpiryTimes(long First, long Latest, long Window)
{
    public const long Never = 0;

    private static readonly long End = DateTimeOffset.MaxValue.ToUnixTimeMilliseconds();

    public bool IsSliding => Window != 0;

    public static long Now(TimeProvider clock) => clock.GetUtcNow().ToUnixTimeMilliseconds();

    public static ExpiryTimes Fixed(long latest) => new(latest, latest, Window: 0);

    public static ExpiryTimes Sliding(long now, long latest, long window) => new(Slide(now, latest, window), latest, window);

    /// <summary>When an entry that is read now expires.</summary>
    public static long Slide(long now, long latest, long window)
    {
        var next = Add(now, window);
        return latest == Never || (next != Never && next < latest) ? next : latest;
    }

    /// <summary>A time so much later; never when that is beyond the calendar.</summary>
    public static long Add(long now, long milliseconds) => milliseconds > End - now ? Never : now + milliseconds;

    /// <summary>Rounded up, so that nothing expires early.</summary>
    public static long Milliseconds(TimeSpan time) => (time.Ticks / TimeSpan.TicksPerMillisecond) + (time.Ticks % TimeSpan.TicksPerMillisecond == 0 ? 0 : 1);
}
