using System.Globalization;

namespace BufferedMessages.Caching.Torture;

/// <summary>A process that shares the cache with others, and owns it at times. One thread sets and removes keys that only this process changes; another one reads all keys.</summary>
internal static class SharerPart
{
    public const string Name = "sharer";

    public static int Run(string directory, string seedText, string laneText, string sharersText)
    {
        var random = new Random(int.Parse(seedText, CultureInfo.InvariantCulture));
        var lane = int.Parse(laneText, CultureInfo.InvariantCulture);
        var sharers = int.Parse(sharersText, CultureInfo.InvariantCulture);
        using var journal = new Journal(TortureCache.JournalOf(directory));
        using var cache = MessageCache.Open<int>(TortureCache.CacheOf(directory), TortureCache.SharedOptions);
        Console.WriteLine("open");
        var reader = new Thread(() => Read(cache, journal, new Random(lane))) { IsBackground = true };
        reader.Start();
        Write(cache, journal, random, lane, sharers);
        return 0;
    }

    // Until the process is killed.
    private static void Write(MessageCache<int> cache, Journal journal, Random random, int lane, int sharers)
    {
        var buffer = new byte[TortureValue.MaxBytes];
        while (true)
        {
            var key = (random.Next(TortureCache.Keys / sharers) * sharers) + lane;
            ref var entry = ref journal[key];
            var isRemoval = random.Next(16) == 0;
            var version = ((entry.Begun / 2) + 1) * 2;
            Interlocked.Exchange(ref entry.Begun, isRemoval ? version + 1 : version);
            if (isRemoval)
            {
                cache.Remove(key);
            }
            else
            {
                cache.Set(key, TortureValue.Write(buffer, key, version), CacheExpiry.Sliding(TimeSpan.FromDays(1)));
                Interlocked.Increment(ref journal.Counts.Sets);
            }

            Interlocked.Exchange(ref entry.Done, isRemoval ? version + 1 : version);
        }
    }

    private static void Read(MessageCache<int> cache, Journal journal, Random random)
    {
        while (true)
        {
            var key = random.Next(TortureCache.Keys);
            journal.CheckRead(key, journal.Look(key), cache);
        }
    }
}
