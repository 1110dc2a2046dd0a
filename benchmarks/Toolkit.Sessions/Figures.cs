using System.Diagnostics;
using BufferedMessages.Running;
using HdrHistogram;

namespace BufferedMessages.Sessions;

/// <summary>What is left of many figures.</summary>
internal static class Figures
{
    private const int Digits = 3;
    private const long LongestNs = 3_600_000_000_000;

    /// <summary>The figure in the middle; of an even number the mean of the two in the middle.</summary>
    public static double Median(IEnumerable<double> figures) => Medians.Of(figures);

    /// <inheritdoc cref="Median(IEnumerable{double})"/>
    public static long Median(IEnumerable<long> figures) => (long)Math.Round(Median(figures.Select(static figure => (double)figure)));

    public static long Nanoseconds(long ticks) => ticks * (1_000_000_000 / Stopwatch.Frequency);

    public static long NanosecondsSince(long timestamp) => Nanoseconds(Stopwatch.GetTimestamp() - timestamp);

    /// <summary>p50, p90, p99, p99.9 and the largest, to three digits.</summary>
    public static long[] Quantiles(ReadOnlySpan<long> figures)
    {
        var histogram = new LongHistogram(LongestNs, Digits);
        foreach (var figure in figures)
        {
            histogram.RecordValue(Math.Clamp(figure, 0, LongestNs));
        }

        double[] percentiles = [50, 90, 99, 99.9, 100];
        return [.. percentiles.Select(histogram.GetValueAtPercentile)];
    }
}
