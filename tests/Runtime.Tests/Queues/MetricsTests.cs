using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using BufferedMessages.Runtime.Tests.Segments;
using BufferedMessages.TestKit;

namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class MetricsTests : IDisposable
{
    private const int Instruments = 8;

    private readonly QueueDirectory _directory = new();
    private readonly Dictionary<(string Instrument, string? Consumer), long> _seen = [];
    private readonly ConcurrentDictionary<string, string?> _units = new(StringComparer.Ordinal);
    private readonly MeterListener _listener = new();

    public MetricsTests()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            // Pools have instruments of their own in that meter, as soon as a test beside this one uses one.
            if (instrument.Meter.Name == "BufferedMessages" && instrument.Name.StartsWith("messaging.", StringComparison.Ordinal))
            {
                _units[instrument.Name] = instrument.Unit;
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            if (Equals(Tag(tags, "messaging.destination.name"), Path.GetFileName(_directory.Path)))
            {
                Assert.Equal("bufferedmessages", Tag(tags, "messaging.system"));
                Assert.True(_seen.TryAdd((instrument.Name, (string?)Tag(tags, "messaging.consumer.group.name")), value), "Two measurements have the same tags.");
            }
        });
        _listener.Start();
    }

    public void Dispose()
    {
        _listener.Dispose();
        _directory.Dispose();
    }

    [Fact]
    public void Messages_and_bytes_are_counted_by_queue_and_consumer_name()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var second = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Payload.PublishNumbers(producer, 0, 3);
        Payload.PublishNumbers(second, 0, 2);
        Payload.ReadNumbers(consumer);
        Assert.True(member.TryRead(out var delivery));
        delivery.Commit();

        Observe();

        Assert.Equal(5, _seen[("messaging.client.sent.messages", null)]);
        Assert.Equal(20, _seen[("messaging.client.sent.bytes", null)]);
        Assert.Equal(5, _seen[("messaging.client.consumed.messages", "risk")]);
        Assert.Equal(20, _seen[("messaging.client.consumed.bytes", "risk")]);
        Assert.Equal(1, _seen[("messaging.client.consumed.messages", "workers")]);
        Assert.Equal(0, _seen[("messaging.queue.lag", "risk")]);
        Assert.Equal(4 * 32, _seen[("messaging.queue.lag", "workers")]);
    }

    [Fact]
    public void The_instruments_have_units()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();

        AwaitInstruments();
        Assert.Equal(
            ["messaging.client.consumed.bytes By", "messaging.client.consumed.messages {message}", "messaging.client.sent.bytes By", "messaging.client.sent.messages {message}", "messaging.queue.lag By", "messaging.queue.oldest_unread_age s", "messaging.queue.space_waits {wait}", "messaging.queue.wakes {wake}"],
            _units.Select(static unit => $"{unit.Key} {unit.Value}").Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_counter_goes_on_when_a_participant_is_closed_and_another_opens()
    {
        using var queue = _directory.Open();
        for (var round = 1; round <= 3; round++)
        {
            using (var producer = queue.OpenProducer())
            {
                Payload.PublishNumbers(producer, 0, 2);
                Observe();
                Assert.Equal(round * 2, _seen[("messaging.client.sent.messages", null)]);
            }

            Observe();
            Assert.Equal(round * 2, _seen[("messaging.client.sent.messages", null)]);
        }
    }

    [Fact]
    public void Waits_of_a_queue_that_is_open_twice_count_once()
    {
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = QueueDirectory.SmallSegment, Slots = 2 });
        using var other = MessageQueue.Open(_directory.Path);

        AssertTwoWaits(queue, other);
    }

    [LinuxFact]
    public void Waits_of_a_queue_that_is_open_by_two_paths_count_once()
    {
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = QueueDirectory.SmallSegment, Slots = 2 });
        var link = Path.Combine(_directory.Path, Path.GetFileName(_directory.Path));
        Directory.CreateSymbolicLink(link, _directory.Path);
        using var other = MessageQueue.Open(link);

        AssertTwoWaits(queue, other);
    }

    [Fact]
    public void A_closed_queue_has_no_lag_and_no_waits_any_more()
    {
        using (var queue = _directory.Open())
        using (queue.OpenConsumer<RawMessage>("risk"))
        {
        }

        Observe();

        Assert.DoesNotContain(_seen.Keys, key => key.Instrument.StartsWith("messaging.queue", StringComparison.Ordinal));
    }

    [Fact]
    public void A_participant_that_was_closed_or_forgotten_is_not_kept()
    {
        using var queue = _directory.Open();
        OpenAndForget(queue);

        // Who was forgotten loses its delivery when it is collected.
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                Observe();
                return queue.GetStatistics().Producers.All(producer => !producer.IsAlive);
            },
            TimeSpan.FromSeconds(30)));
        Observe();
        Assert.Equal(2, _seen[("messaging.client.sent.messages", null)]);
    }

    [Fact]
    public void Observing_while_participants_come_and_go_never_faults()
    {
        using var queue = _directory.Open();
        using var stop = new CancellationTokenSource();
        var coming = new Background(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                using var again = _directory.Open();
                using var producer = again.OpenProducer();
                using var consumer = again.OpenConsumer<RawMessage>("risk");
                producer.Publish("x"u8);
            }
        });
        try
        {
            var last = 0L;
            for (var round = 0; round < 500 || (last == 0 && coming.IsRunning); round++)
            {
                Observe();
                var sent = _seen.GetValueOrDefault(("messaging.client.sent.messages", null));
                Assert.InRange(sent, last, long.MaxValue);
                last = sent;
            }
        }
        finally
        {
            stop.Cancel();
            coming.Join();
        }
    }

    [Fact]
    public void A_queue_whose_folder_was_deleted_is_observed_without_a_lag()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        producer.Publish("x"u8);
        Directory.Delete(_directory.Path, recursive: true);

        Observe();

        Assert.True(_seen[("messaging.client.sent.messages", null)] >= 1);
    }

    [LinuxFact]
    public void A_queue_whose_newest_segment_cannot_be_opened_is_observed_without_a_lag()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        producer.Publish("x"u8);
        using (new HiddenPath(_directory.SegmentFile(0)))
        {
            Observe();

            Assert.Equal(1, _seen[("messaging.client.sent.messages", null)]);
            Assert.False(_seen.ContainsKey(("messaging.queue.lag", "risk")));
        }

        Observe();

        Assert.Equal(QueueDirectory.NumberRecord, _seen[("messaging.queue.lag", "risk")]);
    }

    private void AssertTwoWaits(MessageQueue queue, MessageQueue other)
    {
        using var producer = queue.OpenProducer();
        using var second = other.OpenProducer();
        while (producer.TryPublish(Payload.Of(1), out _))
        {
        }

        producer.TryPublish(Payload.Of(1), out _, TimeSpan.FromMilliseconds(1));
        second.TryPublish(Payload.Of(1), out _, TimeSpan.FromMilliseconds(1));
        Observe();

        Assert.Equal(2, _seen[("messaging.queue.space_waits", null)]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void OpenAndForget(MessageQueue queue)
    {
        var closed = queue.OpenProducer();
        closed.Publish("x"u8);
        closed.Dispose();
        var forgotten = queue.OpenProducer();
        forgotten.Publish("x"u8);
        Observe();
    }

    // They are created beside the first participant of the process, which does not wait for them.
    private void AwaitInstruments() => Assert.True(SpinWait.SpinUntil(() => _units.Count == Instruments, TimeSpan.FromSeconds(30)));

    private void Observe()
    {
        AwaitInstruments();
        _seen.Clear();
        _listener.RecordObservableInstruments();
    }

    private static object? Tag(ReadOnlySpan<KeyValuePair<string, object?>> tags, string name)
    {
        foreach (var tag in tags)
        {
            if (tag.Key == name)
            {
                return tag.Value;
            }
        }

        return null;
    }
}
