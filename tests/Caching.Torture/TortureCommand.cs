using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using BufferedMessages.Running;

namespace BufferedMessages.Caching.Torture;

/// <summary>Starts the processes, kills the writer again and again, and checks the whole cache after each kill.</summary>
internal static class TortureCommand
{
    private const int LongestLife = 1_000;
    private const int LongerLife = 100;

    private static readonly TimeSpan Report = TimeSpan.FromSeconds(5);

    /// <summary>Runs the command line.</summary>
    public static Task<int> RunAsync(string[] arguments, TextWriter output)
    {
        var seconds = RunnerCommand.Number("--seconds", "The least duration", 60);
        var hits = RunnerCommand.Number("--hits", "The least number of hits", 0);
        var kills = RunnerCommand.Number("--kills", "The least number of kills", 0);
        var seed = RunnerCommand.OptionalNumber("--seed", "The seed of the random numbers");
        var crowd = RunnerCommand.Number("--crowd", "1: writers also set keys that are not checked, so that entries are evicted", 0);
        var plant = RunnerCommand.Choice("--plant", "A fault of the writer, which must make the run fail", TortureOptions.NoPlant, TortureOptions.Plants);
        var sharers = RunnerCommand.Number("--sharers", "The processes that share the cache, of which the owner is killed; 0: one process writes", 0);
        var command = new RootCommand("Kills the writer of a cache at random while another process reads, and checks the whole cache after each kill. The exit code is 0 if there was no fault.") { seconds, hits, kills, seed, crowd, plant, sharers };
        command.SetAction(parsed => Run(
            new TortureOptions(
                parsed.GetValue(seconds), parsed.GetValue(hits), parsed.GetValue(kills), parsed.GetValue(seed) ?? (Environment.TickCount & 0xFFFFFF), parsed.GetValue(crowd) != 0, parsed.GetRequiredValue(plant), parsed.GetValue(sharers)),
            output));
        return RunnerCommand.RunAsync(command, arguments, "dotnet run -c Release --project tests/Caching.Torture -- --seconds 60 --kills 200");
    }

    private static int Run(TortureOptions options, TextWriter output)
    {
        if (options.Fault is { } fault)
        {
            Console.Error.WriteLine(fault);
            return RunnerCommand.Mistake;
        }

        var directory = Directory.CreateTempSubdirectory("bmcache-torture-").FullName;
        try
        {
            output.WriteLine($"seed {options.Seed}, {options.Seconds} s, {TortureCache.Keys} keys, {TortureCache.DiskBytes >> 20} MB on disk, {TortureCache.MemoryBytes >> 20} MB in memory");
            var totals = options.Sharers > 0 ? SharedTorture.Run(directory, options, output) : Torture(directory, options, output);
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
                // On a busy machine a process may need a second to start. A fault that was planted is found at last.
                var life = TimeSpan.FromMilliseconds(random.Next(20, LongestLife + (options.IsPlanted ? totals.Kills * LongerLife : 0)));
                for (var start = clock.Elapsed; clock.Elapsed - start < life;)
                {
                    Thread.Sleep(Math.Min(random.Next(100), (int)life.TotalMilliseconds));
                    RunnerCommand.Stopping.ThrowIfCancellationRequested();
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
        output.WriteLine($"{journal.Counts.Sets} sets, {journal.Counts.TagRemovals} tags removed");
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
