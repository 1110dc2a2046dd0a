using System.Diagnostics;
using System.Globalization;
using BufferedMessages.Running;

namespace BufferedMessages.Caching.Torture;

/// <summary>Kills the owner of a shared cache again and again, now and then another process, and checks all entries after each kill, while the others go on.</summary>
internal static class SharedTorture
{
    private const int WriterProcessOffset = 88;

    private static readonly TimeSpan Report = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan TakeoverLimit = TimeSpan.FromSeconds(60);

    public static TortureTotals Run(string directory, TortureOptions options, TextWriter output)
    {
        var random = new Random(options.Seed);
        var clock = Stopwatch.StartNew();
        var reported = TimeSpan.Zero;
        var totals = new TortureTotals();
        using var journal = new Journal(TortureCache.JournalOf(directory));
        var sharers = new TorturePeer[options.Sharers];
        try
        {
            for (var lane = 0; lane < sharers.Length; lane++)
            {
                sharers[lane] = Start(directory, random, lane, options);
            }

            using var cache = MessageCache.OpenReadOnly<int>(TortureCache.CacheOf(directory), TortureCache.Options);
            while (!(totals.HasFault && options.IsPlanted) && (clock.Elapsed.TotalSeconds < options.Seconds || totals.Kills < options.Kills || totals.Hits < options.Hits))
            {
                RunnerCommand.Stopping.ThrowIfCancellationRequested();
                Thread.Sleep(random.Next(20, 400));
                Kill(directory, journal, sharers, random, totals, options);
                CheckAll(cache, journal, totals);
                totals.Take(journal.Counts);
                if (Array.Exists(sharers, static sharer => sharer.HasEnded))
                {
                    throw new InvalidOperationException("A process of the torture ended by itself; its output is above.");
                }

                if (clock.Elapsed - reported > Report)
                {
                    reported = clock.Elapsed;
                    output.WriteLine($"{clock.Elapsed.TotalSeconds:F0} s: {totals.ClosingLine}, {journal.Counts.Sets} sets, longest takeover {totals.LongestTakeover.TotalMilliseconds:F0} ms");
                }
            }
        }
        finally
        {
            Array.ForEach(sharers, static sharer => sharer?.Dispose());
        }

        totals.Take(journal.Counts);
        output.WriteLine($"{journal.Counts.Sets} sets, {journal.Counts.TagRemovals} tags removed, longest takeover {totals.LongestTakeover.TotalMilliseconds:F0} ms");
        return totals;
    }

    // Three of four times the owner. Only its deaths count as kills.
    private static void Kill(string directory, Journal journal, TorturePeer[] sharers, Random random, TortureTotals totals, TortureOptions options)
    {
        var owner = OwnerOf(directory);
        var lane = random.Next(4) == 0 ? random.Next(sharers.Length) : Array.FindIndex(sharers, sharer => sharer.ProcessId == owner);
        if (lane < 0)
        {
            return;
        }

        var wasOwner = sharers[lane].ProcessId == owner;
        sharers[lane].Dispose();
        if (wasOwner)
        {
            totals.Kills++;
            AwaitTakeover(directory, journal, owner, sharers.Length, totals);
        }

        sharers[lane] = Start(directory, random, lane, options);
    }

    // Until another process owns the cache, and sets are made again.
    private static void AwaitTakeover(string directory, Journal journal, int dead, int sharers, TortureTotals totals)
    {
        var clock = Stopwatch.StartNew();
        var sets = Volatile.Read(ref journal.Counts.Sets) + sharers;
        while (OwnerOf(directory) == dead || Volatile.Read(ref journal.Counts.Sets) <= sets)
        {
            if (clock.Elapsed > TakeoverLimit)
            {
                throw new InvalidOperationException("No process has taken the cache over.");
            }

            Thread.Sleep(1);
        }

        totals.LongestTakeover = totals.LongestTakeover > clock.Elapsed ? totals.LongestTakeover : clock.Elapsed;
    }

    private static void CheckAll(MessageCache<int> cache, Journal journal, TortureTotals totals)
    {
        for (var key = 0; key < TortureCache.Keys; key++)
        {
            var entry = journal.Look(key);
            totals.Entries += entry.Done != 0 ? 1 : 0;
            journal.CheckRead(key, entry, cache);
        }

        totals.Corrupt = cache.GetStatistics().Corrupt;
    }

    private static int OwnerOf(string directory)
    {
        Span<byte> number = stackalloc byte[sizeof(int)];
        using var file = File.OpenHandle(Path.Combine(TortureCache.CacheOf(directory), "cache"), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        return RandomAccess.Read(file, number, WriterProcessOffset) == number.Length ? BitConverter.ToInt32(number) : 0;
    }

    private static TorturePeer Start(string directory, Random random, int lane, TortureOptions options) =>
        TorturePeer.Start(SharerPart.Name, directory, Text(random.Next()), Text(lane), Text(options.Sharers), options.Plant);

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
