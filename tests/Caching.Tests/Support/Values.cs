namespace BufferedMessages.Caching.Tests;

/// <summary>Values that differ from each other, and from torn ones.</summary>
internal static class Values
{
    /// <summary>Creates the value of a number: every byte depends on the number and on its position.</summary>
    public static byte[] Of(int number, int bytes)
    {
        var value = new byte[bytes];
        for (var i = 0; i < bytes; i++)
        {
            value[i] = (byte)((number * 31) + (i * 7) + (i >> 8));
        }

        return value;
    }

    /// <summary>Compares the live bytes. The thread that empties segments may be moving an entry at the moment, so it waits until they are equal.</summary>
    public static void AssertLiveBytes<TKey>(this MessageCache<TKey> cache, long expected)
        where TKey : notnull
    {
        var seen = 0L;
        SpinWait.SpinUntil(() => (seen = cache.GetStatistics().LiveBytes) == expected, TimeSpan.FromSeconds(60));
        Assert.Equal(expected, seen);
    }

    /// <summary>Reads a copy of a key's value; null when there is none.</summary>
    public static byte[]? Read<TKey>(this MessageCache<TKey> cache, TKey key)
        where TKey : notnull
    {
        if (!cache.TryGet(key, out var lease))
        {
            return null;
        }

        using (lease)
        {
            return lease.Value.ToArray();
        }
    }
}
