using System.Globalization;

namespace BufferedMessages.Caching.Torture;

/// <summary>The process that is killed. Some threads set and remove, each its own keys, and one thread reads.</summary>
internal static class WriterPart
{
    public const string Name = "writer";

    private const int Threads = 2;
    private const int LargestOther = 1_000;

    public static int Run(string directory, string seedText, string plant)
    {
        var seed = int.Parse(seedText, CultureInfo.InvariantCulture);
        var options = TortureCache.Options;
        if (plant == "overbudget")
        {
            options.DiskBytes = 2 * TortureCache.DiskBytes;
        }

        using var journal = new Journal(TortureCache.JournalOf(directory));
        using var cache = MessageCache.Open<int>(TortureCache.CacheOf(directory), options);
        Console.WriteLine("open");
        var threads = Enumerable.Range(0, Threads).Select(thread => new Thread(() => Write(cache, journal, thread, new Random(seed + thread), thread == 0 ? plant : TortureOptions.NoPlant))).ToList();
        threads.ForEach(thread => thread.Start());
        journal.CheckReads(cache, new Random(seed - 1));
        return 0;
    }

    // Until the process is killed.
    private static void Write(MessageCache<int> cache, Journal journal, int thread, Random random, string plant)
    {
        var keys = new TortureLane(cache, journal, random, thread, Threads, plant);
        var others = new byte[LargestOther];
        while (true)
        {
            var key = keys.Change();
            if (random.Next(8) == 0)
            {
                cache.Touch(key);
            }

            if (journal.Counts.Crowd != 0)
            {
                cache.Set(TortureCache.Keys + random.Next(), others.AsSpan(0, random.Next(others.Length)));
            }
        }
    }
}
