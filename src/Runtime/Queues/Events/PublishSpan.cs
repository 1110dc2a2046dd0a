using System.Diagnostics;

namespace BufferedMessages.Queues;

/// <summary>
/// The span of a producer's publish, from the encoding of the properties until the message, or the batch, is published. Its context is stored in the records, so that the spans of consumers can link
/// to it. Names and tags are those of OpenTelemetry's conventions for messaging. Without a listener there is no span, and the context is that of the current activity. Serves one thread at a time.
/// </summary>
/// <param name="queue">The name of the queue's directory.</param>
internal sealed class PublishSpan(string queue)
{
    private const string Publish = "publish";

    private static readonly ActivitySource? Source = QuietTelemetry.Create(static () => new ActivitySource("BufferedMessages", typeof(PublishSpan).Assembly.GetName().Version?.ToString(3)));

    private readonly string _name = $"{Publish} {queue}";
    private Activity? _activity;

    /// <summary>Starts the span unless it is open, and gives its context; that of the current activity if there is no span, or the default.</summary>
    public ActivityContext Start()
    {
        if (_activity is null && Source?.HasListeners() == true)
        {
            StartActivity();
        }

        return (_activity ?? Activity.Current)?.Context ?? default;
    }

    /// <summary>Ends the span of a message, or of the messages of a batch, that are published.</summary>
    public void End(int? messages = null)
    {
        if (_activity is not null)
        {
            _activity.SetTag("messaging.batch.message_count", messages);
            Stop();
        }
    }

    /// <summary>Ends the span of a publish that failed.</summary>
    public void Fail(Exception exception)
    {
        if (_activity is not null)
        {
            _activity.SetTag("error.type", exception.GetType().FullName);
            _activity.SetStatus(ActivityStatusCode.Error, exception.Message);
            Stop();
        }
    }

    /// <summary>Ends the span of a publish that was given up: listeners do not record it.</summary>
    public void Drop()
    {
        if (_activity is not null)
        {
            _activity.IsAllDataRequested = false;
            _activity.ActivityTraceFlags &= ~ActivityTraceFlags.Recorded;
            Stop();
        }
    }

    // A claim may stay open while its producer does other work, so the span never becomes the current activity of the thread.
    private void StartActivity()
    {
        var current = Activity.Current;
        _activity = QuietTelemetry.Start((queue, _name), static span => Source?.StartActivity(
            ActivityKind.Producer,
            parentContext: default,
            [
                new("messaging.system", "bufferedmessages"),
                new("messaging.destination.name", span.queue),
                new("messaging.operation.name", Publish),
                new("messaging.operation.type", "send"),
            ],
            name: span._name));
        Activity.Current = current;

        // The record has room for the ids of W3C alone.
        if (_activity is { IdFormat: not ActivityIdFormat.W3C })
        {
            Drop();
        }
    }

    // A listener may publish with the same producer when the span ends.
    private void Stop()
    {
        var current = Activity.Current;
        var ending = _activity;
        _activity = null;
        QuietTelemetry.Stop(ending);
        Activity.Current = current;
    }
}
