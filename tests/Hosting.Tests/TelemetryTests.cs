using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

namespace BufferedMessages.Hosting.Tests;

[Collection(Alone.Name)]
public sealed class TelemetryTests : IDisposable
{
    private readonly TestHost _test = new();

    public void Dispose() => _test.Dispose();

    [Fact]
    public async Task The_span_of_a_message_has_a_link_to_the_span_of_another_process_in_which_it_was_published()
    {
        var spans = new List<Activity>();
        using var provider = Sdk.CreateTracerProviderBuilder().AddBufferedMessagesInstrumentation().AddInMemoryExporter(spans).Build();
        string[] published;
        using (var process = ChildProcess.Start(nameof(Parts.PublishInSpan), _test.Orders))
        {
            published = process.Hear()!.Split(' ');
            process.AwaitEnd();
        }

        await HandleOneAsync();
        Assert.True(provider.ForceFlush());
        var span = Assert.Single(spans, static span => span.Kind == ActivityKind.Consumer);
        var link = Assert.Single(span.Links).Context;
        Assert.Equal((published[0], published[1]), ($"{link.TraceId}", $"{link.SpanId}"));
        Assert.NotEqual(published[0], $"{span.TraceId}");
        Assert.Equal(("process orders", ActivityStatusCode.Unset), (span.DisplayName, span.Status));
        Assert.Equal(
            ("bufferedmessages", "orders", "process", "process", "shipping"),
            (Tag(span, "messaging.system"), Tag(span, "messaging.destination.name"), Tag(span, "messaging.operation.name"), Tag(span, "messaging.operation.type"), Tag(span, "messaging.consumer.group.name")));
    }

    [Fact]
    public async Task On_request_the_span_continues_the_trace_of_its_message()
    {
        var spans = new List<Activity>();
        using var provider = Sdk.CreateTracerProviderBuilder().AddBufferedMessagesInstrumentation().AddInMemoryExporter(spans).Build();
        string[] published;
        using (var process = ChildProcess.Start(nameof(Parts.PublishInSpan), _test.Orders))
        {
            published = process.Hear()!.Split(' ');
            process.AwaitEnd();
        }

        await HandleOneAsync(static handler => handler.ContinueTrace = true);
        Assert.True(provider.ForceFlush());
        var span = Assert.Single(spans, static span => span.Kind == ActivityKind.Consumer);
        Assert.Equal((published[0], published[1]), ($"{span.TraceId}", $"{span.ParentSpanId}"));
        Assert.Empty(span.Links);
    }

    [Fact]
    public async Task A_handler_runs_in_the_span_of_its_message_and_failures_are_noted_there()
    {
        var spans = new List<Activity>();
        using var provider = Sdk.CreateTracerProviderBuilder().AddBufferedMessagesInstrumentation().AddInMemoryExporter(spans).Build();
        var current = new List<string?>();
        var failures = 1;
        _test.Desk.Work = async (_, _, _) =>
        {
            await Task.Yield();
            current.Add(Activity.Current?.DisplayName);
            if (failures-- > 0)
            {
                throw new InvalidOperationException("Not yet.");
            }
        };
        var host = await _test.StartAsync(static handler => handler.RetryDelays = [TimeSpan.Zero]);
        TestHost.Publish(host, 1);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).Handled == 1, "the order");
        await host.StopAsync();

        Assert.Equal(["process orders", "process orders"], current);
        Assert.True(provider.ForceFlush());
        var attempts = spans.Where(static span => span.Kind == ActivityKind.Consumer).ToList();
        Assert.Equal([(1, ActivityStatusCode.Error), (2, ActivityStatusCode.Unset)], attempts.Select(static span => ((int)Tag(span, "bufferedmessages.message.attempt")!, span.Status)));
        Assert.Equal(typeof(InvalidOperationException).FullName, Tag(attempts[0], "error.type"));
        Assert.Null(attempts[0].Parent);
    }

    [Fact]
    public async Task Durations_retries_dead_letters_and_interruptions_are_measured()
    {
        var metrics = new List<Metric>();
        using var provider = Sdk.CreateMeterProviderBuilder().AddBufferedMessagesInstrumentation().AddInMemoryExporter(metrics).Build();
        _test.Desk.Work = static (id, _, _) => id == 1 ? throw new InvalidOperationException("No.") : ValueTask.CompletedTask;
        var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays) = (true, [TimeSpan.Zero]));
        TestHost.Publish(host, 1, 2);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).Handled == 1, "the second order");
        TestHost.ControlOf(host).Pause();
        Assert.True(provider.ForceFlush());

        var durations = PointsOf(metrics, "messaging.process.duration");
        Assert.Equal(3, durations.Sum(static point => point.GetHistogramCount()));
        Assert.Equal(2, durations.Where(static point => Tags(point).ContainsKey("error.type")).Sum(static point => point.GetHistogramCount()));
        Assert.All(durations, static point => Assert.Equal(("orders", "shipping"), (Tags(point)["messaging.destination.name"], Tags(point)["messaging.consumer.group.name"])));
        Assert.Equal(1, PointsOf(metrics, "bufferedmessages.handler.retries").Single().GetSumLong());
        Assert.Equal(1, PointsOf(metrics, "bufferedmessages.handler.dead_letters").Single().GetSumLong());
        Assert.Equal(1, PointsOf(metrics, "bufferedmessages.handler.interrupted").Single().GetSumLong());
        Assert.Contains(metrics, static metric => metric.Name == "messaging.client.sent.messages");
    }

    [Fact]
    public async Task Messages_that_are_lost_are_counted_with_the_type_of_their_failure()
    {
        var metrics = new List<Metric>();
        using var provider = Sdk.CreateMeterProviderBuilder().AddBufferedMessagesInstrumentation().AddInMemoryExporter(metrics).Build();
        _test.Desk.Work = static (id, _, _) => id == 1 ? throw new InvalidOperationException("No.") : ValueTask.CompletedTask;
        var host = await _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays, handler.DeadLetters) = (true, [], false));
        TestHost.Publish(host, 1, 2);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).Handled == 1, "the second order");
        Assert.True(provider.ForceFlush());

        var point = Assert.Single(PointsOf(metrics, "bufferedmessages.handler.dropped"));
        Assert.Equal((1L, typeof(InvalidOperationException).FullName), (point.GetSumLong(), Tags(point)["error.type"] as string));
    }

    [Fact]
    public async Task An_interruption_from_before_the_start_is_counted_and_ended_under_the_name_of_the_directory()
    {
        var metrics = new List<Metric>();
        using var provider = Sdk.CreateMeterProviderBuilder().AddBufferedMessagesInstrumentation().AddInMemoryExporter(metrics).Build();
        var host = _test.Build(static services => services.AddMessageQueue("orders", static queue => queue.Directory = "warehouse").AddHandler<OrderBufferedMessage, OrderHandler>("shipping"));
        TestHost.ControlOf(host).Pause();
        await host.StartAsync();

        Assert.Equal(("warehouse", 1), Interruption());
        TestHost.ControlOf(host).Resume();
        Assert.Equal(("warehouse", 0), Interruption());

        (object?, long) Interruption()
        {
            metrics.Clear();
            Assert.True(provider.ForceFlush());
            var point = Assert.Single(PointsOf(metrics, "bufferedmessages.handler.interrupted"));
            return (Tags(point)["messaging.destination.name"], point.GetSumLong());
        }
    }

    [Fact]
    public void The_interruption_of_a_handler_that_has_failed_ends_with_its_stop()
    {
        var metrics = new List<Metric>();
        using var provider = Sdk.CreateMeterProviderBuilder().AddBufferedMessagesInstrumentation().AddInMemoryExporter(metrics).Build();
        using var flow = new HandlerFlow(new HandlerIdentity("orders", "shipping", new MessageHandlerOptions(), TimeProvider.System, NullLogger.Instance));
        flow.Start("orders");
        flow.Fail(new InvalidOperationException("The queue is damaged."));
        Assert.True(provider.ForceFlush());
        Assert.Equal(1, PointsOf(metrics, "bufferedmessages.handler.interrupted").Single().GetSumLong());

        metrics.Clear();
        flow.Stop();
        flow.Stop();
        Assert.True(provider.ForceFlush());
        Assert.Equal(0, PointsOf(metrics, "bufferedmessages.handler.interrupted").Single().GetSumLong());
        Assert.Equal(MessageHandlerState.Failed, flow.State);
    }

    private static object? Tag(Activity span, string name) => span.GetTagItem(name);

    private static Dictionary<string, object?> Tags(MetricPoint point)
    {
        var tags = new Dictionary<string, object?>(StringComparer.Ordinal);
        foreach (var tag in point.Tags)
        {
            tags[tag.Key] = tag.Value;
        }

        return tags;
    }

    // Other tests of the process have handlers too, of the same name; only this one's meter is listened to while it runs.
    private static List<MetricPoint> PointsOf(List<Metric> metrics, string name)
    {
        var points = new List<MetricPoint>();
        foreach (ref readonly var point in metrics.Single(metric => metric.Name == name).GetMetricPoints())
        {
            points.Add(point);
        }

        return points;
    }

    private async Task HandleOneAsync(Action<MessageHandlerOptions>? configure = null)
    {
        var host = await _test.StartAsync(configure);
        await TestHost.UntilAsync(() => TestHost.ControlOf(host).Handled == 1, "the order");
        await host.StopAsync();
    }
}
