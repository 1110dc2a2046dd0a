using System.Globalization;
using BufferedMessages.Caching;
using BufferedMessages.Running;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>Runs this cache and simulations of known policies on the same traces, with room for the same number of entries.</summary>
internal sealed class RateRun(string directory, bool oursOnly, TextWriter output)
{
    private const string Ours = "BufferedMessages";
    private const string OursWithReserve = "BufferedMessages, reserve included";
    private const int PartlyFilled = 3;
    private const long SmallSegment = 64 * 1024;

    private static readonly int[] Budgets = [2, 5, 10, 20];

    public List<HitRate> Run()
    {
        var rates = new List<HitRate>();
        foreach (var (name, ask) in KeyTrace.All)
        {
            foreach (var budget in Budgets)
            {
                var capacity = KeyTrace.Keys / 100 * budget;
                var trace = KeyTrace.Make(ask, capacity);
                foreach (var (policy, open) in Policies(capacity))
                {
                    RunnerCommand.Stopping.ThrowIfCancellationRequested();
                    using var cache = open();
                    rates.Add(new HitRate(name, budget, policy, Measure(cache, trace), cache is RealCache real ? Math.Round(real.WriteAmplification, 2) : null));
                }
            }

            Show(name, rates);
        }

        return rates;
    }

    private static double Measure(IEvictionPolicy cache, int[] trace)
    {
        var hits = 0;
        for (var i = 0; i < trace.Length; i++)
        {
            hits += cache.Ask(trace[i]) && i >= trace.Length / 4 ? 1 : 0;
        }

        return Math.Round(100.0 * hits / (trace.Length - (trace.Length / 4)), 1);
    }

    private IEnumerable<(string Name, Func<IEvictionPolicy> Open)> Policies(int capacity)
    {
        // The segments that are not full hold few entries, so they come on top; in the second row they are part of the bytes.
        var bytes = (long)capacity * RealCache.RecordBytes;
        yield return (Ours, () => Open(bytes + (PartlyFilled * SegmentBytesFor(bytes))));
        yield return (OursWithReserve, () => Open(bytes));
        if (oursOnly)
        {
            yield break;
        }

        yield return ("LRU", () => new LeastRecentlyUsed(capacity));
        yield return ("CLOCK", () => new Clock(capacity));
        yield return ("S3-FIFO", () => new S3Fifo(capacity));
        yield return ("SIEVE", () => new Sieve(capacity));
        yield return ("W-TinyLFU", () => new TinyLfu(capacity));
    }

    private RealCache Open(long diskBytes) => new(Path.Combine(directory, Path.GetRandomFileName()), diskBytes);

    // As a new cache chooses it.
    private static long SegmentBytesFor(long bytes)
    {
        var directory = Directory.CreateTempSubdirectory("bmcache-rates-").FullName;
        try
        {
            using var cache = MessageCache.Open<int>(Path.Combine(directory, "cache"), new MessageCacheOptions { DiskBytes = bytes });
            cache.Set(0, []);
            return Math.Max(SmallSegment, new FileInfo(Directory.GetFiles(cache.Directory, "*.segment")[0]).Length);
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private void Show(string trace, List<HitRate> rates)
    {
        output.WriteLine(trace);
        foreach (var policy in rates.Where(rate => rate.Trace == trace).GroupBy(rate => rate.Policy))
        {
            var hits = policy.Select(rate => rate.HitPercent.ToString("F1", CultureInfo.InvariantCulture));
            var writes = policy.Where(rate => rate.WriteAmplification is not null).Select(rate => rate.WriteAmplification!.Value.ToString("F2", CultureInfo.InvariantCulture));
            output.WriteLine($"  {policy.Key,-36}{string.Join(" / ", hits)}  {string.Join(" / ", writes)}");
        }
    }
}
