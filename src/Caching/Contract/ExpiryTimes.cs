namespace BufferedMessages.Caching;

/// <summary>The times of one entry, in milliseconds since 1970 UTC; 0 is never.</summary>
/// <param name="First">The time at which it expires unless it is read.</param>
/// <param name="Latest">The time at which it expires in any case; without a window, the time until which it may be served as a stale value.</param>
/// <param name="Window">The time by which a read prolongs it; 0 when reads do not.</param>
internal readonly record struct ExpiryTimes(long First, long Latest, long Window)
{
    public const long Never = 0;

    private static readonly long CalendarEnd = DateTimeOffset.MaxValue.ToUnixTimeMilliseconds();

    public bool IsSliding => Window != 0;

    /// <summary>Gets whether a record must hold more than the first time.</summary>
    public bool HasLatest => IsSliding || Latest != First;

    /// <summary>Gets the time from which on the entry is of no use; for a sliding one, unless it is read.</summary>
    public long End =>
        IsSliding || First == Never ? First
        : Latest == Never ? Never
        : Math.Max(First, Latest);

    /// <summary>Determines whether the entry, unless it is read, expires before a time.</summary>
    public bool EndsBefore(long time) => First != Never && (time == Never || First < time);

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
    public static long Add(long now, long milliseconds) => milliseconds > CalendarEnd - now ? Never : now + milliseconds;

    /// <summary>Converts a point in time, rounded up, so that an entry does not expire early.</summary>
    public static long At(DateTimeOffset time) => Math.Min(CalendarEnd, time.ToUnixTimeMilliseconds() + (time.UtcTicks % TimeSpan.TicksPerMillisecond == 0 ? 0 : 1));

    /// <summary>Converts a time, rounded up, so that an entry does not expire early.</summary>
    public static long Milliseconds(TimeSpan time) => (time.Ticks / TimeSpan.TicksPerMillisecond) + (time.Ticks % TimeSpan.TicksPerMillisecond == 0 ? 0 : 1);

    /// <summary>Lets the entry be served for a time after its expiry.</summary>
    public ExpiryTimes ServedFor(TimeSpan time) => time == TimeSpan.Zero || First == Never ? this : this with { Latest = Add(First, Milliseconds(time)) };
}
