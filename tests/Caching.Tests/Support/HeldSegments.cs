namespace BufferedMessages.Caching.Tests;

/// <summary>A cache in which leases hold all segments, so that there is no room for a set.</summary>
internal static class HeldSegments
{
    /// <summary>Gets options with few segments, and a short wait for one.</summary>
    public static MessageCacheOptions Options => CacheDirectory.SmallWith(options => { options.DiskBytes = 6 * CacheDirectory.SegmentBytes; options.SegmentTimeout = TimeSpan.FromSeconds(1); });

    /// <summary>Runs an action while leases hold all segments.</summary>
    /// <param name="cache">The cache.</param>
    /// <param name="then">The action.</param>
    public static void WhileAllIsHeld(this MessageCache<int> cache, Action then) => HoldFrom(cache, 0, then);

    // Each call sets an entry in another segment and holds it, until there is no segment left.
    private static void HoldFrom(MessageCache<int> cache, int number, Action then)
    {
        if (!TrySet(cache, number))
        {
            then();
            return;
        }

        Assert.True(cache.TryGet(number, out var lease));
        using (lease)
        {
            HoldFrom(cache, number + 1, then);
            Assert.Equal(Values.Of(number, 50_000), lease.Value);
        }
    }

    private static bool TrySet(MessageCache<int> cache, int number)
    {
        try
        {
            cache.Set(number, Values.Of(number, 50_000));
            return true;
        }
        catch (TimeoutException)
        {
            return false;
        }
    }
}
