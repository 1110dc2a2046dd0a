using System.Diagnostics;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>How long it takes to open a cache with all its entries, until the first is read.</summary>
internal static class ReopenMeasurement
{
    private const int FirstKey = 17;

    public static IEnumerable<CacheFigures> Run(CacheSetting setting)
    {
        using (var contender = new BufferedContender(setting))
        {
            CacheMeasurement.WriteAll(contender, KeySequence.InOrder(setting.Keys), setting.ValueBytes);
        }

        yield return Time("reopen", setting, () => new BufferedContender(setting));
        foreach (var index in Directory.GetFiles(setting.Directory, "index.*", SearchOption.AllDirectories))
        {
            File.Delete(index);
        }

        yield return Time("rebuild", setting, () => new BufferedContender(setting));
        using (var contender = new FasterContender(setting))
        {
            CacheMeasurement.WriteAll(contender, KeySequence.InOrder(setting.Keys), setting.ValueBytes);
            contender.Save();
        }

        yield return Time("reopen", setting, () =>
        {
            var contender = new FasterContender(setting);
            contender.Recover();
            return contender;
        });
    }

    private static CacheFigures Time(string operation, CacheSetting setting, Func<ICacheContender> open)
    {
        var start = Stopwatch.GetTimestamp();
        using var contender = open();
        using var session = contender.NewSession();
        var isThere = session.Read(FirstKey);
        var elapsed = Stopwatch.GetElapsedTime(start);
        return new CacheFigures
        {
            Operation = operation,
            Library = contender.Name,
            ValueBytes = setting.ValueBytes,
            DataPerMemory = setting.Ratio,
            Threads = 1,
            OperationsPerSecond = 1 / elapsed.TotalSeconds,
            P50 = (long)(elapsed.TotalMilliseconds * 1_000_000),
            P99 = (long)(elapsed.TotalMilliseconds * 1_000_000),
            Misses = isThere ? 0 : 1,
        };
    }
}
