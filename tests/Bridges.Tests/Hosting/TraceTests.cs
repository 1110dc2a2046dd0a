using System.Collections.Concurrent;
using System.Diagnostics;
using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests.Hosting;

/// <summary>The spans of bridges, as a listener of source "BufferedMessages" sees them.</summary>
public sealed class TraceTests : IDisposable
{
    // Other tests run bridges too; the stream of this one has a name of its own.
    private readonly FakeStream _stream = new($"stream-{Guid.NewGuid():N}");
    private readonly BridgeDirectory _directory = new();
    private readonly ConcurrentQueue<Activity> _spans = new();
    private readonly ActivityListener _listener;
    private bool _throws;

    public TraceTests()
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name is "BufferedMessages" or nameof(TraceTests),
            Sample = static (ref options) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStarted = ThrowIfAsked,
            ActivityStopped = span =>
            {
                ThrowIfAsked(span);
                if (IsOfStream(span))
                {
                    _spans.Enqueue(span);
                }
            },
        };
        ActivitySource.AddActivityListener(_listener);
    }

    public void Dispose()
    {
        _listener.Dispose();
        _directory.Dispose();
    }

    [Fact]
    public async Task The_spans_of_a_run_have_links_to_the_spans_in_which_its_messages_were_published()
    {
        ActivityContext[] published = [NewContext(), NewContext()];
        await CopyAsync(published[0], default, published[1]);

        var send = Assert.Single(_spans, static span => span.Kind == ActivityKind.Producer);
        var process = Assert.Single(_spans, static span => span.Kind == ActivityKind.Consumer);
        Assert.Equal(($"send {_stream.Name}", $"process {_stream.Name}"), (send.OperationName, process.OperationName));
        Assert.Equal(published, send.Links.Select(static link => link.Context));
        Assert.Equal(published, process.Links.Select(static link => link.Context));
        Assert.Equal(("fake", "send", 3), (send.GetTagItem("messaging.system"), send.GetTagItem("messaging.operation.type"), send.GetTagItem("messaging.batch.message_count")));
        Assert.Equal(("fake", "process", 3), (process.GetTagItem("messaging.system"), process.GetTagItem("messaging.operation.type"), process.GetTagItem("messaging.batch.message_count")));
    }

    [Fact]
    public async Task A_copy_keeps_the_trace_of_its_message()
    {
        ActivityContext[] published = [NewContext(), default, NewContext()];
        Assert.Equal(published, await CopyAsync(published));
    }

    [Fact]
    public async Task A_span_has_at_most_128_links()
    {
        await CopyAsync([.. Enumerable.Range(0, 200).Select(static _ => NewContext())]);

        Assert.Equal([128, 128], _spans.Select(static span => span.Links.Count()));
    }

    [Fact]
    public async Task The_span_in_which_a_bridge_was_opened_is_not_the_parent_of_those_of_its_runs()
    {
        using var source = new ActivitySource(nameof(TraceTests));
        using var opening = source.StartActivity("open");
        Assert.NotNull(opening);
        await CopyAsync(NewContext());

        Assert.Equal(2, _spans.Count);
        Assert.All(_spans, span =>
        {
            Assert.Null(span.Parent);
            Assert.NotEqual(opening.TraceId, span.TraceId);
        });
    }

    [Fact]
    public async Task A_listener_that_throws_stops_no_bridge()
    {
        _throws = true;
        ActivityContext[] published = [NewContext(), NewContext()];

        Assert.Equal(published, await CopyAsync(published));
    }

    private bool IsOfStream(Activity span) => Equals(span.GetTagItem("messaging.destination.name"), _stream.Name);

    private void ThrowIfAsked(Activity span)
    {
        if (_throws && IsOfStream(span))
        {
            throw new InvalidOperationException("The listener failed.");
        }
    }

    private static ActivityContext NewContext() => new(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded, traceState: null, isRemote: true);

    /// <summary>Copies messages with these traces, and returns the traces of the copies.</summary>
    private async Task<List<ActivityContext>> CopyAsync(params ActivityContext[] published)
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        using (var producer = source.OpenProducer<Tick>())
        {
            foreach (var trace in published)
            {
                producer.Publish(new Tick(), new MessageProperties { TraceContext = trace });
            }
        }

        await using (var forwarder = source.ForwardTo(_stream))
        await using (var receiver = destination.ReceiveFrom(_stream))
        {
            await UntilAsync(() => receiver.GetStatistics().Received == published.Length, "the messages");
        }

        var copied = new List<ActivityContext>();
        using var reader = destination.OpenReader<TickBufferedMessage>();
        while (reader.TryRead(out var delivery))
        {
            copied.Add(delivery.Properties.TraceContext);
            delivery.Commit();
        }

        return copied;
    }
}
