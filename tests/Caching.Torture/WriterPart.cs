using System.Globalization;

namespace BufferedMessages.Caching.Torture;

/// <summary>The process that is killed. Some threads set and remove, each its own keys, and one thread reads.</summary>
internal static class WriterPart
{
    public const string Name = "writer";

    private const int Threads = 2;
    private const int PlantAfter = 200;

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
        var threads = Enumerable.Range(0, Threads).Select(thread => new Thread(() => Write(cache, journal, thread, new Random(seed + thread), plant))).ToList();
        threads.ForEach(thread => thread.Start());
        Read(cache, journal, new Random(seed - 1));
        return 0;
    }

    // Until the process is killed.
    private static void Write(MessageCache<int> cache, Journal journal, int thread, Random random, string plant)
    {
        var buffer = new byte[TortureValue.MaxBytes];
        for (var count = 0L; ; count++)
        {
            var key = (random.Next(TortureCache.Keys / Threads) * Threads) + thread;
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
                var value = TortureValue.Write(buffer, key, version);
                Set(cache, key, buffer.AsSpan(0, value.Length), thread == 0 && count % PlantAfter == 0 ? plant : TortureOptions.NoPlant);
                Interlocked.Increment(ref journal.Counts.Sets);
            }

            Interlocked.Exchange(ref entry.Done, isRemoval ? version + 1 : version);
            if (random.Next(8) == 0)
            {
                cache.Touch(key);
            }

            if (journal.Counts.Crowd != 0)
            {
                cache.Set(TortureCache.Keys + random.Next(), buffer.AsSpan(0, random.Next(1_000)));
            }
        }
    }

    private static void Set(MessageCache<int> cache, int key, Span<byte> value, string plant)
    {
        switch (plant)
        {
            case "bad":
                value[^1] ^= 1;
                break;
            case "torn":
                value = value[..^1];
                break;
            case "lost":
                cache.Remove(key);
                return;
        }

        cache.Set(key, value, CacheExpiry.Sliding(TimeSpan.FromDays(1)));
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
