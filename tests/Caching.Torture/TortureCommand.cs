using System.Diagnostics;
using System.Globalization;

namespace BufferedMessages.Caching.Torture;

/// <summary>Starts the processes, kills the writer again and again, and checks the whole cache after each kill.</summary>
internal static class TortureCommand
{
    private const string Usage = "usage: [--seconds N] [--hits N] [--kills N] [--seed N] [--crowd 0|1] [--plant bad|lost|torn|overbudget]";
    private static readonly TimeSpan Report = TimeSpan.FromSeconds(5);

    public static int Run(string[] arguments, TextWriter output)
    {
        if (TortureOptions.Parse(arguments) is not { } options)
        {
            output.WriteLine(Usage);
            return 2;
        }

        var directory = Directory.CreateTempSubdirectory("bmcache-torture-").FullName;
        try
        {
            output.WriteLine($"seed {options.Seed}, {options.Seconds} s, {TortureCache.Keys} keys, {TortureCache.DiskBytes >> 20} MB on disk, {TortureCache.MemoryBytes >> 20} MB in memory");
            var totals = Torture(directory, options, output);
            output.WriteLine(totals.ClosingLine);
            return totals.IsClean ? 0 : 1;
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static TortureTotals Torture(string directory, TortureOptions options, TextWriter output)
    {
        var random = new Random(options.Seed);
        var clock = Stopwatch.StartNew();
        var reported = TimeSpan.Zero;
        var totals = new TortureTotals();
        using var journal = new Journal(TortureCache.JournalOf(directory));
        journal.Counts.Crowd = options.IsCrowded ? 1 : 0;
        MessageCache.Open<int>(TortureCache.CacheOf(directory), TortureCache.Options).Dispose();
        using var reader = TorturePeer.Start(ReaderPart.Name, directory, Text(options.Seed));
        while (!(totals.HasFault && options.IsPlanted) && (clock.Elapsed.TotalSeconds < options.Seconds || totals.Kills < options.Kills || totals.Hits < options.Hits))
        {
            using (var writer = TorturePeer.Start(WriterPart.Name, directory, Text(random.Next()), options.Plant))
            {
                var life = TimeSpan.FromMilliseconds(random.Next(20, 1_000));
                for (var start = clock.Elapsed; clock.Elapsed - start < life;)
                {
                    Thread.Sleep(Math.Min(random.Next(100), (int)life.TotalMilliseconds));
                    totals.Watch(directory, writer, reader);
                }
            }

            totals.Kills++;
            CheckAll(directory, journal, totals);
            totals.Take(journal.Counts);
            if (clock.Elapsed - reported > Report)
            {
                reported = clock.Elapsed;
                output.WriteLine($"{clock.Elapsed.TotalSeconds:F0} s: {totals.ClosingLine}, {journal.Counts.Sets} sets, largest memory {totals.LargestMemory >> 10} KB, disk {totals.LargestDisk >> 10} KB");
            }
        }

        totals.Take(journal.Counts);
        return totals;
    }

    // Every entry that was acknowledged, and cannot have been evicted, must be there.
    private static void CheckAll(string directory, Journal journal, TortureTotals totals)
    {
        using var cache = MessageCache.Open<int>(TortureCache.CacheOf(directory), TortureCache.Options);
        for (var key = 0; key < TortureCache.Keys; key++)
        {
            var entry = journal.Look(key);
            if (cache.TryGet(key, out var lease))
            {
                using (lease)
                {
                    totals.Entries++;
                    if (!TortureValue.IsWhole(lease.Value, key, out var version))
                    {
                        totals.Torn++;
                    }
                    else if (version < entry.Done || version > entry.Begun)
                    {
                        totals.Lost++;
                    }
                }
            }
            else if (journal.IsSurelyThere(entry))
            {
                totals.Lost++;
            }
        }

        totals.Corrupt += cache.GetStatistics().Corrupt;
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
