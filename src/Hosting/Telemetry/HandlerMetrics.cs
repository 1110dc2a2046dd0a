using System.Diagnostics;
using System.Diagnostics.Metrics;
using BufferedMessages.Queues;

namespace BufferedMessages.Hosting;

/// <summary>The metrics of handlers. Names and tags are those of OpenTelemetry's conventions for messaging.</summary>
internal static class HandlerMetrics
{
    public const string MeterName = "BufferedMessages";

    private static readonly Meter Meter = new(MeterName, typeof(HandlerMetrics).Assembly.GetName().Version?.ToString(3));

    private static readonly Histogram<double>? Duration = QuietTelemetry.Create(static () => Meter.CreateHistogram<double>(
        "messaging.process.duration", "s", "Duration of an attempt to handle a message."));

    private static readonly Counter<long>? Retries = QuietTelemetry.Create(static () => Meter.CreateCounter<long>(
        "bufferedmessages.handler.retries", "{attempt}", "Attempts to handle a message again, after one that failed."));

    private static readonly Counter<long>? DeadLetters = QuietTelemetry.Create(static () => Meter.CreateCounter<long>(
        "bufferedmessages.handler.dead_letters", "{message}", "Messages that went to the dead letters."));

    private static readonly Counter<long>? Dropped = QuietTelemetry.Create(static () => Meter.CreateCounter<long>(
        "bufferedmessages.handler.dropped", "{message}", "Messages that a handler without dead letters could not handle."));

    private static readonly UpDownCounter<long>? Stopped = QuietTelemetry.Create(static () => Meter.CreateUpDownCounter<long>(
        "bufferedmessages.handler.interrupted", "{handler}", "Handlers that are paused, or whose circuit is open, or that have failed."));

    /// <summary>Whether the durations are asked for.</summary>
    public static bool IsTimed => Duration is { Enabled: true };

    /// <summary>Records an attempt.</summary>
    public static void RecordAttempt(string queue, string handler, TimeSpan duration, Exception? failure)
    {
        var tags = TagsOf(queue, handler);
        if (failure is not null)
        {
            tags.Add("error.type", UnreadableFailureException.TypeNameOf(failure));
        }

        QuietTelemetry.Tell((duration, tags), static record => Duration?.Record(record.duration.TotalSeconds, record.tags));
    }

    public static void CountRetry(string queue, string handler) => QuietTelemetry.Tell(TagsOf(queue, handler), static tags => Retries?.Add(1, tags));

    public static void CountDeadLetter(string queue, string handler, string errorType) => Count(DeadLetters, queue, handler, errorType);

    public static void CountDropped(string queue, string handler, string errorType) => Count(Dropped, queue, handler, errorType);

    /// <summary>Counts a handler that begins, or ends, an interruption of its handling.</summary>
    public static void CountInterruption(string queue, string handler, bool begins) =>
        QuietTelemetry.Tell((change: begins ? 1 : -1, tags: TagsOf(queue, handler)), static record => Stopped?.Add(record.change, record.tags));

    private static void Count(Counter<long>? counter, string queue, string handler, string errorType)
    {
        var tags = TagsOf(queue, handler);
        tags.Add("error.type", errorType);
        QuietTelemetry.Tell((counter, tags), static record => record.counter?.Add(1, record.tags));
    }

    private static TagList TagsOf(string queue, string handler) => new()
    {
        { "messaging.system", "bufferedmessages" },
        { "messaging.destination.name", queue },
        { "messaging.operation.name", "process" },
        { "messaging.consumer.group.name", handler },
    };
}
