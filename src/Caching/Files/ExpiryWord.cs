using System.Diagnostics;

namespace BufferedMessages.Caching;

/// <summary>
/// The expiry of a record, in one word that is changed in place. It is outside the record's checksum and carries its own check.
/// <code>
/// bits 0-47 milliseconds since 1970 UTC, 0 for never · bits 48-63 check
/// </code>
/// </summary>
internal static class ExpiryWord
{
    private const int CheckShift = 48;
    private const ulong TimeMask = (1UL << CheckShift) - 1;

    /// <summary>The word of <see cref="ExpiryTimes.Never"/>.</summary>
    public static ulong Never { get; } = Compose(ExpiryTimes.Never);

    public static ulong Compose(long milliseconds)
    {
        Debug.Assert((ulong)milliseconds <= TimeMask, "The time would overwrite the check.");
        return (ulong)milliseconds | (Check((ulong)milliseconds) << CheckShift);
    }

    /// <summary>Reads the time; false when the word is damaged.</summary>
    public static bool TryRead(ulong word, out long milliseconds)
    {
        milliseconds = (long)(word & TimeMask);
        return word >> CheckShift == Check((ulong)milliseconds);
    }

    // Inverted, so that a word of zeros is not a valid "never".
    private static ulong Check(ulong milliseconds) => ~(milliseconds * 0x9E3779B97F4A7C15) >> CheckShift;
}
