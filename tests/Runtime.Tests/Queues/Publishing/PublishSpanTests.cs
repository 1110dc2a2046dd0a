using System.Collections.Concurrent;
using System.Diagnostics;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Listeners hear the whole process, so this class tells the spans of its queue apart by its name.</summary>
[Collection(ProcessWideSwitches.Name)]
public sealed class PublishSpanTests : IDisposable
{
    private const string SourceName = "BufferedMessages";
    private static readonly ProducerOptions Stamps = new() { StampTrace = true };

    private readonly QueueDirectory _directory = new();
    private readonly ConcurrentQueue<Activity> _stopped = new();
    private ActivityListener? _listener;

    private string Name => $"publish {Path.GetFileName(_directory.Path)}";

    public void Dispose()
    {
        _listener?.Dispose();
        _directory.Dispose();
    }

    [Fact]
    public void A_publish_is_a_span_below_the_current_one_and_its_message_carries_it()
    {
        Listen();
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(Stamps);
        using var parent = new Activity("request").SetIdFormat(ActivityIdFormat.W3C).Start();
        parent.TraceStateString = "a=1";

        producer.Publish("first"u8);
        producer.Publish("second"u8);

        Assert.Same(parent, Activity.Current);
        var spans = Spans();
        Assert.Equal(2, spans.Count);
        Assert.Equal(spans.Select(static span => span.Context), Contexts(queue));
        Assert.All(spans, span =>
        {
            Assert.Equal((Name, ActivityKind.Producer, parent.TraceId, parent.SpanId), (span.DisplayName, span.Kind, span.TraceId, span.ParentSpanId));
            Assert.Equal(ActivityStatusCode.Unset, span.Status);
            Assert.Equal(
                [("messaging.destination.name", Path.GetFileName(_directory.Path)), ("messaging.operation.name", "publish"), ("messaging.operation.type", "send"), ("messaging.system", "bufferedmessages")],
                from tag in span.TagObjects orderby tag.Key select (tag.Key, (string)tag.Value!));
        });
    }

    [Fact]
    public async Task Every_way_to_publish_is_a_span()
    {
        Listen();
        using (var queue = _directory.Open())
        {
            using var producer = queue.OpenProducer<PublisherTests.Numbered>(Stamps);
            using var publisher = queue.OpenPublisher<PublisherTests.Numbered>(Stamps);
            producer.Publish(new());
            await producer.PublishAsync(new());
            publisher.Publish(new());
            Assert.Equal(3, Spans().Count);
            Assert.Equal(Spans().Select(static span => span.Context), Contexts(queue));
        }

        using var values = new QueueDirectory();
        using var other = values.Open();
        using var bytes = other.OpenValueProducer<int>(Stamps);
        bytes.Publish(1);
        await bytes.PublishAsync(2, TimeSpan.Zero);
        using (var claim = bytes.Claim(sizeof(int)))
        {
            claim.Commit(sizeof(int));
        }

        Assert.Equal(3, Contexts(other).Distinct().Count());
    }

    [Fact]
    public void A_batch_is_one_span_with_the_number_of_its_messages()
    {
        Listen();
        using var queue = _directory.Open();
        using (var messages = queue.OpenProducer<PublisherTests.Numbered>(Stamps))
        {
            messages.PublishAll([new(), new(), new()]);
        }

        var span = Assert.Single(Spans());
        Assert.Equal(3, span.GetTagItem("messaging.batch.message_count"));
        Assert.Equal([span.Context, span.Context, span.Context], Contexts(queue));
    }

    [Fact]
    public void A_batch_of_claims_is_one_span()
    {
        Listen();
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(Stamps);
        using (var batch = producer.ClaimBatch(1_000))
        {
            Assert.True(batch.TryAdd("first"u8));
            Assert.True(batch.TryAdd("second"u8));
            batch.Publish();
        }

        var span = Assert.Single(Spans());
        Assert.Equal(2, span.GetTagItem("messaging.batch.message_count"));
        Assert.Equal([span.Context, span.Context], Contexts(queue));
    }

    [Fact]
    public void Without_a_parent_the_span_is_a_root()
    {
        Listen();
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(Stamps);

        producer.Publish("alone"u8);

        var span = Assert.Single(Spans());
        Assert.Equal(default, span.ParentSpanId);
        Assert.Equal([span.Context], Contexts(queue));
        Assert.Null(Activity.Current);
    }

    [Fact]
    public void A_producer_that_does_not_stamp_traces_has_no_spans()
    {
        Listen();
        using var queue = _directory.Open();
        using var plain = queue.OpenProducer();
        using var timed = queue.OpenProducer(new() { StampTime = true });

        plain.Publish("first"u8);
        timed.Publish("second"u8);

        Assert.Empty(Spans());
        Assert.Equal([default, default], Contexts(queue));
    }

    [Fact]
    public void A_trace_context_that_is_given_is_stored_and_has_no_span()
    {
        Listen();
        var given = new ActivityContext(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded);
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(Stamps);

        producer.Publish("given"u8, new MessageProperties { TraceContext = given });

        Assert.Empty(Spans());
        Assert.Equal([given], Contexts(queue));
    }

    [Fact]
    public void A_span_that_is_not_sampled_leaves_the_context_of_the_current_activity()
    {
        Listen(ActivitySamplingResult.None);
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(Stamps);
        using var parent = new Activity("request").SetIdFormat(ActivityIdFormat.W3C).Start();

        producer.Publish("unsampled"u8);

        Assert.Empty(Spans());
        Assert.Equal([parent.Context], Contexts(queue));
    }

    [Fact]
    public void A_span_below_an_activity_with_ids_of_another_format_is_not_recorded()
    {
        Listen();
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(Stamps);
        using (new Activity("old").SetIdFormat(ActivityIdFormat.Hierarchical).Start())
        {
            producer.Publish("old"u8);
        }

        producer.Publish("new"u8);

        var span = Assert.Single(Spans(), static span => span.Recorded);
        Assert.Equal([default, span.Context], Contexts(queue));
    }

    [Fact]
    public void A_publish_that_finds_no_room_and_a_claim_that_is_given_up_are_not_recorded()
    {
        Listen();
        using var directory = new QueueDirectory(QueueMode.Bounded);
        using var queue = directory.Open(slots: 2);
        using var plain = queue.OpenProducer();
        using var producer = queue.OpenProducer(Stamps);
        producer.Claim(100).Dispose();
        using (var batch = producer.ClaimBatch(100))
        {
            Assert.True(batch.TryAdd("given up"u8));
        }

        while (plain.TryPublish(new byte[10_000], out _) || plain.TryPublish([], out _))
        {
        }

        Assert.False(producer.TryPublish("refused"u8, out _));
        Assert.Throws<MessageTooLargeException>(() => producer.Publish(new byte[QueueDirectory.LargestPayload]));

        var spans = Spans(directory);
        Assert.Equal(4, spans.Count);
        Assert.All(spans, static span => Assert.False(span.Recorded || span.IsAllDataRequested));
    }

    [Fact]
    public void A_publish_that_fails_is_a_span_with_its_error_and_the_next_one_is_another()
    {
        Listen();
        using var directory = new QueueDirectory(QueueMode.Bounded);
        using var queue = directory.Open(slots: 2);
        using var plain = queue.OpenProducer();
        using var producer = queue.OpenProducer(Stamps);
        while (plain.TryPublish(new byte[10_000], out _) || plain.TryPublish([], out _))
        {
        }

        using var cancelled = new CancellationTokenSource(TimeSpan.FromMilliseconds(1));
        Assert.Throws<OperationCanceledException>(() => producer.Publish("cancelled"u8, cancelled.Token));
        using var consumer = queue.OpenConsumer<RawMessage>("all", new() { Start = QueueStart.Latest });
        producer.Publish("published"u8);

        var spans = Spans(directory);
        Assert.Equal([ActivityStatusCode.Error, ActivityStatusCode.Unset], spans.Select(static span => span.Status));
        Assert.Equal(typeof(OperationCanceledException).FullName, spans[0].GetTagItem("error.type"));
        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal(spans[1].SpanId, delivery.Properties.TraceContext.SpanId);
        delivery.Commit();
    }

    [Fact]
    public void A_listener_may_publish_with_the_producer_whose_publish_has_failed()
    {
        using var directory = new QueueDirectory(QueueMode.Bounded);
        using var queue = directory.Open(slots: 2);
        using var plain = queue.OpenProducer();
        using var producer = queue.OpenProducer(Stamps);
        while (plain.TryPublish(new byte[10_000], out _) || plain.TryPublish([], out _))
        {
        }

        var heard = 0;
        Exception? refusal = null;
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == SourceName,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = span =>
            {
                if (span.DisplayName == $"publish {Path.GetFileName(directory.Path)}" && span.Status == ActivityStatusCode.Error)
                {
                    heard++;
                    refusal = Record.Exception(() => { producer.TryPublish("within"u8, out _); });
                }
            },
        };
        ActivitySource.AddActivityListener(_listener);

        using var cancelled = new CancellationTokenSource(TimeSpan.FromMilliseconds(1));
        Assert.Throws<OperationCanceledException>(() => producer.Publish("cancelled"u8, cancelled.Token));

        Assert.Equal(1, heard);
        Assert.Null(refusal);
    }

    [Fact]
    public void A_claim_does_not_change_the_current_activity()
    {
        Listen();
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(Stamps);
        using var claim = producer.Claim(10);
        Assert.Null(Activity.Current);
        using var inner = new Activity("fill").SetIdFormat(ActivityIdFormat.W3C).Start();

        claim.Commit(10);

        Assert.Same(inner, Activity.Current);
        Assert.Equal(default, Assert.Single(Spans()).ParentSpanId);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_listener_that_throws_fails_no_publish(bool atStart)
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == SourceName,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStarted = atStart ? Fail : null,
            ActivityStopped = atStart ? null : Fail,
        };
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<PublisherTests.Numbered>(Stamps);
        ActivitySource.AddActivityListener(_listener);

        producer.Publish(new());
        producer.PublishAll([new(), new()]);

        Assert.Null(Activity.Current);
        Assert.Equal(3, Contexts(queue).Count);

        void Fail(Activity span)
        {
            if (span.DisplayName == Name)
            {
                throw new InvalidOperationException("The listener fails.");
            }
        }
    }

    [Fact]
    public void Without_a_listener_stamping_allocates_nothing()
    {
        const int Messages = 500;
        using var directory = new QueueDirectory(QueueMode.Bounded);
        using var queue = directory.Open(segmentBytes: 1024 * 1024, slots: 4);
        using var producer = queue.OpenProducer(Stamps);
        using var parent = new Activity("request").SetIdFormat(ActivityIdFormat.W3C).Start();
        Publish();

        Allocations.AssertNone(Publish);

        void Publish()
        {
            for (var message = 0; message < Messages; message++)
            {
                producer.Publish("stamped"u8);
            }
        }
    }

    private void Listen(ActivitySamplingResult sampling = ActivitySamplingResult.AllDataAndRecorded)
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == SourceName,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => sampling,
            ActivityStopped = _stopped.Enqueue,
        };
        ActivitySource.AddActivityListener(_listener);
    }

    private IReadOnlyList<Activity> Spans() => Spans(_directory);

    private IReadOnlyList<Activity> Spans(QueueDirectory directory) => [.. _stopped.Where(span => span.DisplayName == $"publish {Path.GetFileName(directory.Path)}")];

    private static List<ActivityContext> Contexts(MessageQueue queue)
    {
        var contexts = new List<ActivityContext>();
        using var reader = queue.OpenReader<RawMessage>();
        while (reader.TryRead(out var delivery))
        {
            var context = delivery.Properties.TraceContext;
            contexts.Add(new ActivityContext(context.TraceId, context.SpanId, context.TraceFlags, context.TraceState));
        }

        return contexts;
    }
}
