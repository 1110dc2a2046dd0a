using System.Globalization;
using OpenTelemetry;
using OpenTelemetry.Metrics;

namespace BufferedMessages.Samples.Service;

/// <summary>Prints a line for each metric. A real service exports its metrics to a collector.</summary>
internal sealed class MetricLines : BaseExporter<Metric>
{
    public override ExportResult Export(in Batch<Metric> batch)
    {
        foreach (var metric in batch)
        {
            foreach (ref readonly var point in metric.GetMetricPoints())
            {
                Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"         metric {metric.Name} {ValueOf(metric, point)} {metric.Unit}"));
            }
        }

        return ExportResult.Success;
    }

    private static string ValueOf(Metric metric, in MetricPoint point) => metric.MetricType switch
    {
        MetricType.LongSum or MetricType.LongSumNonMonotonic => point.GetSumLong().ToString(CultureInfo.InvariantCulture),
        MetricType.LongGauge => point.GetGaugeLastValueLong().ToString(CultureInfo.InvariantCulture),
        MetricType.DoubleGauge => point.GetGaugeLastValueDouble().ToString("0.###", CultureInfo.InvariantCulture),
        MetricType.Histogram => string.Create(CultureInfo.InvariantCulture, $"{point.GetHistogramCount()} values, sum {point.GetHistogramSum():0.######}"),
        _ => metric.MetricType.ToString(),
    };
}
