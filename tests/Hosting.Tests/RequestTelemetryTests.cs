using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Hosting.Tests;

/// <summary>The spans and durations of requests, and what a request allocates.</summary>
[Collection(Alone.Name)]
public sealed class RequestTelemetryTests : IDisposable
{
    private const int Rounds = 80;
    private const int RequestsOfARound = 100;
    private const long MostBytesOfARoundTrip = 3_000;

    private readonly PriceHosts _hosts = new();

    public void Dispose() => _hosts.Dispose();

    [Fact]
    public async Task The_responder_continues_the_trace_of_the_caller()
    {
        var spans = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "BufferedMessages",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = spans.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        _hosts.Pricing.Work = static (article, _) => article == 13 ? throw new InvalidDataException("No such article.") : new(new PriceReply { Price = 2 * article });
        await _hosts.StartResponderAsync();
        var client = await _hosts.StartClientAsync();
        using var caller = new Activity("caller").Start();

        await PriceHosts.AskAsync(client, 21);
        await Assert.ThrowsAsync<RequestFailedException>(() => PriceHosts.AskAsync(client, 13));
        Assert.Same(caller, Activity.Current);
        await TestHost.UntilAsync(() => spans.Count == 4, "four spans");

        var requests = spans.Where(static span => span.Kind == ActivityKind.Client).ToList();
        Assert.Equal(["request prices", "request prices"], requests.Select(static span => span.DisplayName));
        Assert.All(requests, span => Assert.Equal(caller.SpanId, span.ParentSpanId));
        Assert.Equal([ActivityStatusCode.Unset, ActivityStatusCode.Error], requests.Select(static span => span.Status));
        Assert.Equal(typeof(InvalidDataException).FullName, requests[1].GetTagItem("error.type"));
        Assert.Equal(
            requests.Select(static span => span.SpanId.ToString()).Order(),
            spans.Where(static span => span.Kind == ActivityKind.Consumer).Select(static span => span.ParentSpanId.ToString()).Order());
    }

    [Fact]
    public async Task The_duration_of_a_request_is_measured()
    {
        var errors = new ConcurrentQueue<string>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name == "messaging.client.operation.duration")
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<double>((_, _, tags, _) => errors.Enqueue(tags.ToArray().FirstOrDefault(static tag => tag.Key == "error.type").Value as string ?? "none"));
        listener.Start();
        var client = await _hosts.StartClientAsync();
        await Assert.ThrowsAsync<ResponderLostException>(() => PriceHosts.AskAsync(client, 1));
        await _hosts.StartResponderAsync();
        await PriceHosts.AskAsync(client, 21);

        Assert.Equal([typeof(ResponderLostException).FullName!, "none"], errors);
    }

    [Fact]
    public async Task Requests_that_expire_and_replies_that_are_dropped_or_come_late_are_counted()
    {
        var counts = new ConcurrentDictionary<(string Name, object? Queue), long>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name is "bufferedmessages.responder.expired_requests" or "bufferedmessages.responder.dropped_replies" or "bufferedmessages.client.unmatched_replies")
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>((instrument, count, tags, _) => counts.AddOrUpdate(
            (instrument.Name, tags.ToArray().FirstOrDefault(static tag => tag.Key == "messaging.destination.name").Value), count, (_, sum) => sum + count));
        listener.Start();
        var gate = new TaskCompletionSource<PriceReply>(TaskCreationOptions.RunContinuationsAsynchronously);
        _hosts.Pricing.Work = (article, _) => article == 13 ? new ValueTask<PriceReply>(gate.Task) : new(new PriceReply { Price = 2 * article });
        var host = await _hosts.StartResponderAsync();
        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/pricing");
        using (var queue = MessageQueue.OpenExisting(_hosts.Requests))
        using (var producer = queue.OpenProducer<PriceRequest>())
        {
            // One has expired, the client of the second one is gone, and the third one asks for no reply.
            producer.Publish(new PriceRequest { Article = 1 }, new MessageProperties { CorrelationId = "5", ReplyTo = "1-a", Headers = { ["expires"] = "1" } });
            producer.Publish(new PriceRequest { Article = 2 }, new MessageProperties { CorrelationId = "6", ReplyTo = "1-a" });
            producer.Publish(new PriceRequest { Article = 3 });
        }

        await TestHost.UntilAsync(() => control.Handled == 3, "three requests");
        var client = await _hosts.StartClientAsync();
        using var cancel = new CancellationTokenSource();
        var waiting = PriceHosts.AskAsync(client, 13, timeout: null, cancel.Token);
        await TestHost.UntilAsync(() => _hosts.Pricing.Begun.Contains(13), "the request is taken");
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        gate.SetResult(new PriceReply());
        Assert.Equal(42, await PriceHosts.AskAsync(client, 21));

        Assert.Equal(1, counts[("bufferedmessages.responder.expired_requests", "prices")]);
        Assert.Equal(1, counts[("bufferedmessages.responder.dropped_replies", "prices")]);
        Assert.Equal(1, counts[("bufferedmessages.client.unmatched_replies", "prices")]);
        Assert.Equal(3, counts.Count);
    }

    [Fact]
    public async Task Reply_queues_add_no_series_to_the_metrics_of_queues()
    {
        var queues = new List<string?>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == "BufferedMessages" && instrument.Name.StartsWith("messaging.", StringComparison.Ordinal))
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>((_, _, tags, _) => queues.Add(tags.ToArray().FirstOrDefault(static tag => tag.Key == "messaging.destination.name").Value as string));
        listener.Start();
        await _hosts.StartResponderAsync();
        var client = await _hosts.StartClientAsync();
        await PriceHosts.AskAsync(client, 21);
        await TestHost.UntilAsync(
            () =>
            {
                listener.RecordObservableInstruments();
                return queues.Contains("prices");
            },
            "the series of the queue of requests");

        Assert.DoesNotContain(Assert.Single(_hosts.ReplyQueues), queues);
    }

    [Fact]
    public async Task A_round_trip_allocates_little()
    {
        var host = _hosts.Build(static prices => prices
            .AddRequestClient<PriceRequest, PriceReplyBufferedMessage>(PriceHosts.Responder)
            .AddResponder<PriceRequestBufferedMessage, PriceReply, Pricing>(PriceHosts.Responder));
        await host.StartAsync();
        var client = host.Services.GetRequiredService<RequestClient<PriceRequest, PriceReplyBufferedMessage>>();

        // The first rounds compile code. While the machine gives the process little time, the loop of the client also looks after the responder during each request.
        var fewest = long.MaxValue;
        for (var round = 0; round < Rounds; round++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            await AskManyAsync(client);
            fewest = Math.Min(fewest, (GC.GetTotalAllocatedBytes(precise: true) - before) / RequestsOfARound);
        }

        Assert.InRange(fewest, 1, MostBytesOfARoundTrip);
    }

    private static async Task AskManyAsync(RequestClient<PriceRequest, PriceReplyBufferedMessage> client)
    {
        for (var article = 0; article < RequestsOfARound; article++)
        {
            Assert.Equal(2 * article, await PriceHosts.AskAsync(client, article, TimeSpan.FromMinutes(1)));
        }
    }
}
