using Microsoft.Extensions.Caching.Distributed;

namespace BufferedMessages.Caching;

/// <summary>Converts <see cref="DistributedCacheEntryOptions"/> to the cache's own expiry.</summary>
internal static class DistributedExpiry
{
    /// <summary>
    /// Calculates the expiry of an entry that is set now. If the options have an absolute time and a time from now, the earlier one counts, and limits a sliding one.
    /// If they have none of them, the cache's own expiry counts.
    /// </summary>
    /// <returns>False when the time is in the past.</returns>
    public static bool TryRead(DistributedCacheEntryOptions options, TimeProvider clock, out CacheExpiry expiry)
    {
        // Converted to a time from now on, because the clock may pass an absolute time before the entry is set.
        var remaining = options.AbsoluteExpiration - clock.GetUtcNow();
        var fromNow = options.AbsoluteExpirationRelativeToNow;
        var latest = remaining is null || fromNow < remaining ? fromNow : remaining;
        expiry = default;
        if (latest <= TimeSpan.Zero)
        {
            return false;
        }

        expiry = (options.SlidingExpiration, latest) switch
        {
            ({ } window, { } atLatest) => CacheExpiry.Sliding(window, atLatest),
            ({ } window, null) => CacheExpiry.Sliding(window),
            (null, { } after) => CacheExpiry.After(after),
            _ => default,
        };
        return true;
    }
}
