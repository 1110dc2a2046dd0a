using System.Diagnostics;
using BufferedMessages.Queues;

namespace BufferedMessages.Hosting;

/// <summary>The spans of clients, one for each request, from its publishing to its reply. They cost nothing while no listener asks for them.</summary>
internal static class RequestTraces
{
    private static readonly ActivitySource? Source = QuietTelemetry.Create(static () => new ActivitySource(HandlerTraces.SourceName, typeof(RequestTraces).Assembly.GetName().Version?.ToString(3)));

    /// <summary>Starts the span of a request, as a child of the caller's. The current one stays as it is: the span ends in another flow.</summary>
    public static Activity? Start(string queue, string responder)
    {
        if (Source?.HasListeners() != true)
        {
            return null;
        }

        var current = Activity.Current;
        var activity = QuietTelemetry.Start((queue, responder), static span => Source?.StartActivity(
            ActivityKind.Client,
            tags:
            [
                new("messaging.system", "bufferedmessages"),
                new("messaging.destination.name", span.queue),
                new("messaging.operation.name", "request"),
                new("messaging.operation.type", "send"),
                new("messaging.consumer.group.name", span.responder),
            ],
            name: $"request {span.queue}"));
        Activity.Current = current;
        return activity;
    }

    /// <summary>Ends the span of a request.</summary>
    public static void End(Activity? activity, Exception? failure)
    {
        if (activity is null)
        {
            return;
        }

        if (failure is not null)
        {
            activity.SetTag("error.type", ErrorTypeOf(failure));
            QuietTelemetry.Tell((activity, failure), static span =>
            {
                span.activity.SetStatus(ActivityStatusCode.Error, span.failure.Message);
                span.activity.AddException(span.failure);
            });
        }

        var current = Activity.Current;
        QuietTelemetry.Stop(activity);
        Activity.Current = current;
    }

    /// <summary>The type of a failure: that of the responder's exception, if the responder has failed.</summary>
    public static string ErrorTypeOf(Exception failure) => failure is RequestFailedException { ErrorType: var type } ? type : failure.GetType().FullName!;
}
