using System.Diagnostics;
using BufferedMessages.Queues;

namespace BufferedMessages.Hosting;

/// <summary>
/// The spans of handlers, one for each attempt. Names and tags are those of OpenTelemetry's conventions for messaging. They cost nothing while no listener asks for them.
/// </summary>
internal static class HandlerTraces
{
    public const string SourceName = "BufferedMessages";

    private const string Process = "process";

    private static readonly ActivitySource? Source = QuietTelemetry.Create(static () => new ActivitySource(SourceName, typeof(HandlerTraces).Assembly.GetName().Version?.ToString(3)));

    /// <summary>Whether a listener asks for spans.</summary>
    public static bool IsTraced => Source?.HasListeners() == true;

    /// <summary>Starts the span of an attempt.</summary>
    /// <param name="message">The message.</param>
    /// <param name="queue">The name of the queue's directory.</param>
    /// <param name="published">The trace context that the message has; the default for none.</param>
    /// <param name="bytes">The bytes of the message.</param>
    /// <param name="continues">Whether the span continues the trace of the message, instead of a link to it.</param>
    public static Activity? Start(HandledMessage message, string queue, ActivityContext published, int bytes, bool continues)
    {
        KeyValuePair<string, object?>[] tags =
        [
            new("messaging.system", "bufferedmessages"),
            new("messaging.destination.name", queue),
            new("messaging.operation.name", Process),
            new("messaging.operation.type", Process),
            new("messaging.consumer.group.name", message.HandlerName),
            new("messaging.message.body.size", bytes),
            new("bufferedmessages.message.position", message.Position),
            new("bufferedmessages.message.attempt", message.Attempt),
        ];
        var links = continues || published == default ? null : new[] { new ActivityLink(published) };
        return QuietTelemetry.Start(
            (parent: continues ? published : default, tags, links, name: $"{Process} {queue}"),
            static span => Source?.StartActivity(ActivityKind.Consumer, span.parent, span.tags, span.links, name: span.name));
    }

    /// <summary>Notes the failure of an attempt in its span.</summary>
    public static void SetFailure(Activity? activity, Exception failure)
    {
        activity?.SetTag("error.type", UnreadableFailureException.TypeNameOf(failure));
        activity?.SetStatus(ActivityStatusCode.Error, failure.Message);
        QuietTelemetry.Tell((activity, failure), static span => span.activity?.AddException(span.failure));
    }
}
