using Microsoft.Extensions.Caching.Distributed;

namespace BufferedMessages.Caching;

/// <summary>What <see cref="DistributedCacheEntryOptions"/> say, in the cache's own terms.</summary>
internal static class DistributedExpiry
{
    /// <summary>
    /// Works out when an entry expires that is set now. Of an absolute time and one from now on the earlier counts, and a sliding one is cut off there;
    /// without any of them the cache's own expiry counts.
    /// </summary>
    /// <returns>False when the time is past.</returns>
    public static bool TryRead(DistributedCacheEntryOptions options, TimeProvider clock, out CacheExpiry expiry)
    {
        // A time from now on, not the time itself: the clock may pass it before the entry is set.
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
