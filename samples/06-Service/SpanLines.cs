using System.Diagnostics;
using System.Globalization;
using OpenTelemetry;

namespace BufferedMessages.Samples.Service;

/// <summary>Prints a line for each span. A real service exports its spans to a collector.</summary>
internal sealed class SpanLines : BaseExporter<Activity>
{
    public override ExportResult Export(in Batch<Activity> batch)
    {
        foreach (var span in batch)
        {
            var links = string.Concat(span.Links.Select(static link => $", linked to trace {link.Context.TraceId}"));
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"         span {span.DisplayName}, {span.Kind}, {span.Duration.TotalMilliseconds:0.00} ms, {span.Status}, trace {span.TraceId}{links}"));
        }

        return ExportResult.Success;
    }
}
