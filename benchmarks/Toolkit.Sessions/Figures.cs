using System.Diagnostics;

namespace BufferedMessages.Sessions;

/// <summary>What is left of many figures.</summary>
internal static class Figures
{
    public static double Median(IEnumerable<double> figures)
    {
        var sorted = figures.Order().ToList();
        return sorted[sorted.Count / 2];
    }

    public static long Median(IEnumerable<long> figures)
    {
        var sorted = figures.Order().ToList();
        return sorted[sorted.Count / 2];
    }

    public static long Nanoseconds(long ticks) => ticks * (1_000_000_000 / Stopwatch.Frequency);

    public static long NanosecondsSince(long timestamp) => Nanoseconds(Stopwatch.GetTimestamp() - timestamp);

    /// <summary>p50, p90, p99, p99.9 and the largest; sorts what it is given.</summary>
    public static long[] Quantiles(Span<long> figures)
    {
        figures.Sort();
        var last = figures.Length - 1;
        return [figures[last / 2], figures[(int)(last * 0.9)], figures[(int)(last * 0.99)], figures[(int)(last * 0.999)], figures[last]];
    }
}
