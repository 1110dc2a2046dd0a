using System.Diagnostics;
using BufferedMessages.Queues;

namespace BufferedMessages.Bridges;

/// <summary>
/// The spans of bridges, one for each run, with links to the spans in which its messages were published. Names and tags are those of OpenTelemetry's conventions for messaging. They cost nothing
/// while no listener asks for them.
/// </summary>
internal static class BridgeTraces
{
    /// <summary>The operation of forwarders.</summary>
    public const string Send = "send";

    /// <summary>The operation of receivers.</summary>
    public const string Process = "process";

    private const int MostLinks = 128;

    private static readonly ActivitySource? Source = QuietTelemetry.Create(static () => new ActivitySource("BufferedMessages", typeof(BridgeTraces).Assembly.GetName().Version?.ToString(3)));

    /// <summary>Starts the span of a run that is sent.</summary>
    public static Activity? StartSend(IMessageStream stream, in MessageRun run) => Start(ActivityKind.Producer, Send, stream, run);

    /// <summary>Starts the span of a run that is published in the destination.</summary>
    public static Activity? StartReceive(IMessageStream stream, in MessageRun run) => Start(ActivityKind.Consumer, Process, stream, run);

    private static Activity? Start(ActivityKind kind, string operation, IMessageStream stream, in MessageRun run) => Source?.HasListeners() == true ? StartWithLinks(kind, operation, stream, run) : null;

    private static Activity? StartWithLinks(ActivityKind kind, string operation, IMessageStream stream, in MessageRun run)
    {
        KeyValuePair<string, object?>[] tags =
        [
            new("messaging.system", stream.System),
            new("messaging.destination.name", stream.Name),
            new("messaging.operation.name", operation),
            new("messaging.operation.type", operation),
            new("messaging.batch.message_count", run.Count),
        ];
        var (links, name) = (LinksOf(run), $"{operation} {stream.Name}");
        return QuietTelemetry.Start((kind, tags, links, name), static span => Source?.StartActivity(span.kind, parentContext: default, span.tags, span.links, name: span.name));
    }

    private static List<ActivityLink> LinksOf(in MessageRun run)
    {
        var links = new List<ActivityLink>();
        var offset = 0;
        for (var i = 0; i < run.Count && links.Count < MostLinks && RunRecord.TryRead(run, ref offset, out var record); i++)
        {
            var context = new DeliveryProperties(record.Properties.Span).TraceContext;
            if (context != default)
            {
                links.Add(new ActivityLink(context));
            }
        }

        return links;
    }
}
