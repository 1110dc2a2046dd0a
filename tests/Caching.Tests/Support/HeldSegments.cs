namespace BufferedMessages.Caching.Tests;

/// <summary>A cache in which leases hold all segments, so that there is no room for a set.</summary>
internal static class HeldSegments
{
    private const int MostTries = 60;

    /// <summary>Gets options with few segments, and a short wait for one.</summary>
    public static MessageCacheOptions Options => CacheDirectory.SmallWith(options => { options.DiskBytes = 6 * CacheDirectory.SegmentBytes; options.SegmentTimeout = TimeSpan.FromSeconds(1); });

    /// <summary>Runs an action while leases hold all segments.</summary>
    /// <param name="cache">The cache.</param>
    /// <param name="then">The action.</param>
    /// <param name="diskBytes">The budget of the cache; null if it has <see cref="Options"/>.</param>
    public static void WhileAllIsHeld(this MessageCache<int> cache, Action then, long? diskBytes = null) => HoldFrom(cache, 0, then, diskBytes ?? Options.DiskBytes);

    // Each call sets an entry in another segment and holds it, until there is no segment left.
    private static void HoldFrom(MessageCache<int> cache, int number, Action then, long diskBytes)
    {
        if (!TrySet(cache, number, diskBytes))
        {
            then();
            return;
        }

        Assert.True(cache.TryGet(number, out var lease));
        using (lease)
        {
            HoldFrom(cache, number + 1, then, diskBytes);
            Assert.Equal(Values.Of(number, 50_000), lease.Value);
        }
    }

    // The cache makes one segment above its budget before sets give up. Until then, and perhaps once more, the thread that empties segments is late, because the machine is busy.
    private static bool TrySet(MessageCache<int> cache, int number, long diskBytes)
    {
        var isAbove = false;
        for (var tries = 0; tries < MostTries; tries++)
        {
            try
            {
                cache.Set(number, Values.Of(number, 50_000));
                return true;
            }
            catch (TimeoutException) when (!isAbove)
            {
                isAbove = cache.GetStatistics().DiskBytes > diskBytes;
            }
            catch (TimeoutException)
            {
                return false;
            }
        }

        throw new TimeoutException("No segment was emptied or made.");
    }
}
