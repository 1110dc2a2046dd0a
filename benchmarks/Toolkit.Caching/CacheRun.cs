using System.Globalization;
using BufferedMessages.Running;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>Measures everything, all contenders in turns, each with files of its own.</summary>
internal sealed class CacheRun(BenchmarkOptions options, TextWriter output)
{
    private const int SequenceLength = 1_000_000;
    private const double FittingRatio = 0.5;

    private static readonly int[] Sizes = [100, 1024];
    private static readonly double[] Ratios = [FittingRatio, 4, 10];
    private static readonly int[] ThreadCounts = [1, 2];

    private static readonly string[] Reads = [CacheMeasurement.Read, CacheMeasurement.ReadTogether];
    private static readonly string[] Writes = [CacheMeasurement.Mix, CacheMeasurement.Write, CacheMeasurement.WriteTogether];

    private readonly Dictionary<string, int[][]> _sequences = new(StringComparer.Ordinal);

    public List<CacheFigures> Run()
    {
        var results = new List<CacheFigures>();
        foreach (var distribution in (string[])[KeySequence.Zipf, KeySequence.Uniform])
        {
            _sequences[distribution] = [.. ThreadCounts.Select((_, thread) => KeySequence.Make(distribution, options.Keys, SequenceLength, seed: thread + 7))];
        }

        foreach (var size in Sizes)
        {
            foreach (var ratio in Ratios.Where(ratio => options.Measures(size, ratio)))
            {
                InDirectory(directory => Measure(directory, size, ratio, results));
            }

            if (!options.OursOnly && options.Measures(size, FittingRatio))
            {
                InDirectory(directory => results.AddRange(ReopenMeasurement.Run(new CacheSetting(directory, options.Keys, size, FittingRatio)).Select(Show)));
            }
        }

        return results;
    }

    private IEnumerable<Func<CacheSetting, ICacheContender>> ContendersFor(double ratio)
    {
        yield return setting => new BufferedContender(setting);
        if (options.OursOnly)
        {
            yield break;
        }

        yield return setting => new FasterContender(setting);
        yield return setting => new FasterContender(setting, isAppending: true);
        if (ratio <= 1)
        {
            // These have no disk, or memory that is not their own.
            yield return setting => new TableContender(setting);
            yield return _ => new MemoryContender();
            yield return setting => new BitFasterContender(setting);
            yield return setting => new FilesContender(setting);
        }
    }

    private void Measure(string directory, int size, double ratio, List<CacheFigures> results)
    {
        var setting = new CacheSetting(directory, options.Keys, size, ratio);
        var contenders = new List<ICacheContender>();
        try
        {
            foreach (var (number, open) in ContendersFor(ratio).Index())
            {
                RunnerCommand.Stopping.ThrowIfCancellationRequested();
                InDirectory(folder => FillOnce(open(setting with { Directory = folder }), size));
                var contender = open(setting with { Directory = Path.Combine(directory, $"{number}") });
                contenders.Add(contender);
                var figures = CacheMeasurement.WriteAll(contender, KeysOf(contender), size);
                results.Add(Show(Name(figures, contender, setting) with { Operation = CacheMeasurement.FirstWrite, Distribution = "in order", Threads = 1 }));
                _ = CacheMeasurement.Run(contender, CacheMeasurement.Read, _sequences[KeySequence.Zipf][..1], size, options.Time);
            }

            Measure(contenders, Reads, setting, results);

            // Files and logs come to the size that they keep: before that, most of a write is the first use of new pages.
            foreach (var keys in _sequences[KeySequence.Uniform])
            {
                contenders.ForEach(contender => CacheMeasurement.WriteAll(contender, keys[..Math.Min(options.Keys, SequenceLength)], size));
            }

            Measure(contenders, Writes, setting, results);
        }
        finally
        {
            contenders.ForEach(static contender => contender.Dispose());
        }
    }

    // The first writes of a process run in code that was compiled quickly, which takes several times as long. So each contender has been filled before.
    private void FillOnce(ICacheContender contender, int size)
    {
        using (contender)
        {
            _ = CacheMeasurement.WriteAll(contender, KeysOf(contender), size);
        }
    }

    private int[] KeysOf(ICacheContender contender) => KeySequence.InOrder(contender is FilesContender ? FilesContender.Files : options.Keys);

    private void Measure(List<ICacheContender> contenders, string[] operations, CacheSetting setting, List<CacheFigures> results)
    {
        foreach (var operation in operations)
        {
            foreach (var (distribution, sequences) in _sequences)
            {
                foreach (var threads in ThreadCounts)
                {
                    RunnerCommand.Stopping.ThrowIfCancellationRequested();
                    var figures = CacheMeasurement.RunInTurns(contenders, operation, sequences[..threads], setting.ValueBytes, options.Time);
                    results.AddRange(figures.Select((figure, i) =>
                        Show(Name(figure, contenders[i], setting) with { Operation = operation, Distribution = distribution, Threads = threads })));
                }
            }
        }
    }

    private static CacheFigures Name(CacheFigures figures, ICacheContender contender, CacheSetting setting) => figures with
    {
        Library = contender.Name,
        ValueBytes = setting.ValueBytes,
        DataPerMemory = setting.Ratio,
        MemoryBytes = setting.MemoryBytes,
    };

    private CacheFigures Show(CacheFigures figures)
    {
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{figures.Operation,-18}{figures.ValueBytes,6} B {figures.DataPerMemory,4} x {figures.Distribution,-10}{figures.Threads} threads  {figures.Library,-18}{figures.OperationsPerSecond,14:N0}/s  p50 {figures.P50,9:N0} ns  p99 {figures.P99,9:N0} ns  {figures.AllocatedBytes,8:N1} B  {figures.Misses} misses"));
        return figures;
    }

    private void InDirectory(Action<string> run)
    {
        var directory = Directory.CreateDirectory(Path.Combine(options.Directory, Path.GetRandomFileName())).FullName;
        try
        {
            run(directory);
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }
}
