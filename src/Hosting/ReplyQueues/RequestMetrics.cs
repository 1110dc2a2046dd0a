using System.Diagnostics;
using System.Diagnostics.Metrics;
using BufferedMessages.Queues;

namespace BufferedMessages.Hosting;

/// <summary>The metrics of requests. Names and tags are those of OpenTelemetry's conventions for messaging.</summary>
internal static class RequestMetrics
{
    private static readonly Meter Meter = new(HandlerMetrics.MeterName, typeof(RequestMetrics).Assembly.GetName().Version?.ToString(3));

    private static readonly Histogram<double>? Duration = QuietTelemetry.Create(static () => Meter.CreateHistogram<double>(
        "messaging.client.operation.duration", "s", "Time from a request to its reply or its failure."));

    private static readonly Counter<long>? Unmatched = QuietTelemetry.Create(static () => Meter.CreateCounter<long>(
        "bufferedmessages.client.unmatched_replies", "{message}", "Replies to requests that do not wait any more."));

    private static readonly Counter<long>? Expired = QuietTelemetry.Create(static () => Meter.CreateCounter<long>(
        "bufferedmessages.responder.expired_requests", "{message}", "Requests that expired before a responder took them."));

    private static readonly Counter<long>? Dropped = QuietTelemetry.Create(static () => Meter.CreateCounter<long>(
        "bufferedmessages.responder.dropped_replies", "{message}", "Replies whose client was gone, or did not read."));

    /// <summary>Records the end of a request.</summary>
    public static void RecordRequest(string queue, TimeSpan duration, Exception? failure)
    {
        if (Duration is not { Enabled: true })
        {
            return;
        }

        var tags = TagsOf(queue, "request");
        if (failure is not null)
        {
            tags.Add("error.type", RequestTraces.ErrorTypeOf(failure));
        }

        QuietTelemetry.Tell((duration, tags), static record => Duration?.Record(record.duration.TotalSeconds, record.tags));
    }

    public static void CountUnmatched(string queue) => Add(Unmatched, TagsOf(queue, "request"));

    public static void CountExpired(string queue) => Add(Expired, TagsOf(queue, "process"));

    public static void CountDropped(string queue) => Add(Dropped, TagsOf(queue, "process"));

    private static void Add(Counter<long>? counter, in TagList tags) => QuietTelemetry.Tell((counter, tags), static record => record.counter?.Add(1, record.tags));

    private static TagList TagsOf(string queue, string operation) => new()
    {
        { "messaging.system", "bufferedmessages" },
        { "messaging.destination.name", queue },
        { "messaging.operation.name", operation },
    };
}
