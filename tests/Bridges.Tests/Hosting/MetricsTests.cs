using System.Diagnostics.Metrics;
using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests.Hosting;

/// <summary>The metrics of bridges, as a listener of meter "BufferedMessages" sees them.</summary>
public sealed class MetricsTests : IDisposable
{
    private const string Prefix = "bufferedmessages.bridge.";

    // Other tests run bridges too; those of this one have a name of their own.
    private readonly string _name = $"bridge-{Guid.NewGuid():N}";
    private readonly BridgeDirectory _directory = new();
    private readonly FakeStream _stream = new();
    private readonly MeterListener _listener = new();
    private readonly Dictionary<(string Number, string Operation), double> _seen = [];
    private readonly HashSet<string> _instruments = new(StringComparer.Ordinal);
    private readonly HashSet<(object?, object?)> _places = [];

    public MetricsTests()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == "BufferedMessages" && instrument.Name.StartsWith(Prefix, StringComparison.Ordinal))
            {
                _instruments.Add(instrument.Name[Prefix.Length..]);
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => See(instrument, value, tags));
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => See(instrument, value, tags));
        _listener.Start();
    }

    private ForwarderOptions Forwarding => new() { Name = _name, BatchMessages = 10, FirstRetryDelay = TimeSpan.FromMilliseconds(1) };

    private ReceiverOptions Receiving => new() { Name = _name, FirstRetryDelay = TimeSpan.FromMilliseconds(1), JournalInterval = TimeSpan.FromMilliseconds(1) };

    public void Dispose()
    {
        _listener.Dispose();
        _directory.Dispose();
    }

    [Fact]
    public async Task They_are_the_statistics_and_do_not_fall_when_a_bridge_is_closed()
    {
        _stream.Fate = static number => number == 2 ? RunFate.Refused : RunFate.StoredTwice;
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        Publish(source, 0, 50);
        ForwarderStatistics sent;
        ReceiverStatistics received;
        await using (var forwarder = source.ForwardTo(_stream, Forwarding))
        await using (var receiver = destination.ReceiveFrom(_stream, Receiving))
        {
            await UntilAsync(() => receiver.GetStatistics() is { Received: 50, JournalAge: not null }, "50 messages and a journal");
            await UntilAsync(() => forwarder.GetStatistics() is { LagBytes: 0, InFlightRuns: 0 }, "all are confirmed");
            await UntilAsync(() => receiver.GetStatistics().Offset == new StreamOffset((ulong)_stream.Entries.Count - 1), "all are read");
            Look();
            (sent, received) = (forwarder.GetStatistics(), receiver.GetStatistics());
            Assert.Equal((0, 0), (_seen[("in_flight", "send")], _seen[("lag", "send")]));
            Assert.True(_seen[("journal_age", "process")] >= 0);
            AssertCounts();
        }

        _seen.Clear();
        Look();
        AssertCounts();
        Assert.DoesNotContain(_seen.Keys, static key => key.Number is "in_flight" or "lag" or "journal_age");

        void AssertCounts()
        {
            Assert.True(sent is { Refused: 1, Reconnects: 1 } && received.Duplicates > 0);
            Assert.Equal((sent.Sent, sent.Confirmed, sent.Refused, sent.Reconnects), (_seen[("sent", "send")], _seen[("confirmed", "send")], _seen[("refused", "send")], _seen[("reconnects", "send")]));
            Assert.Equal((50, received.Duplicates, received.Holes, 0), (_seen[("received", "process")], _seen[("duplicates", "process")], _seen[("holes", "process")], _seen[("reconnects", "process")]));
        }
    }

    [Fact]
    public async Task Each_number_has_an_instrument_and_the_tags_of_the_stream()
    {
        using var queue = _directory.Open("queue");
        await using var forwarder = queue.ForwardTo(_stream, Forwarding);
        Look();

        string[] expected = ["confirmed", "dead_letters", "deletions", "duplicates", "foreign", "holes", "in_flight", "journal_age", "lag", "received", "reconnects", "refused", "sent"];
        Assert.Equal(expected, _instruments.Order(StringComparer.Ordinal));
        Assert.Equal([("fake", "orders")], _places);
        Assert.Equal(["confirmed", "dead_letters", "deletions", "in_flight", "lag", "reconnects", "refused", "sent"], _seen.Keys.Select(static key => key.Number).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Bridges_that_follow_each_other_add_up()
    {
        using var source = _directory.Open("source");
        for (var round = 1; round <= 3; round++)
        {
            Publish(source, 0, 10);
            await using var forwarder = source.ForwardTo(_stream, Forwarding);
            await UntilAsync(() => forwarder.GetStatistics().Confirmed == 10, "10 messages");
            Look();
            Assert.Equal(10 * round, _seen[("confirmed", "send")]);
        }
    }

    [Fact]
    public async Task A_stopped_bridge_lags_until_it_is_disposed()
    {
        _stream.MaxBodyBytes = 1;
        using var source = _directory.Open("source");
        Publish(source, 0, 1);
        await using (var forwarder = source.ForwardTo(_stream, Forwarding))
        {
            await Assert.ThrowsAsync<MessageTooLargeException>(() => forwarder.Completion);
            Look();
            Assert.Equal(source.PublishedPosition, _seen[("lag", "send")]);
        }

        _seen.Clear();
        Look();
        Assert.False(_seen.ContainsKey(("lag", "send")));
    }

    [Fact]
    public async Task A_queue_that_is_closed_before_its_bridge_does_not_disturb_them()
    {
        var source = _directory.Open("source");
        Publish(source, 0, 10);
        await using (var forwarder = source.ForwardTo(_stream, Forwarding))
        {
            await UntilAsync(() => forwarder.GetStatistics().Confirmed == 10, "10 messages");
            source.Dispose();
            Look();
            Assert.Equal((10, 0), (_seen[("confirmed", "send")], _seen[("lag", "send")]));
        }

        Look();
        Assert.Equal(10, _seen[("confirmed", "send")]);
    }

    [Fact]
    public async Task A_queue_whose_files_were_deleted_disturbs_neither_them_nor_the_disposal_of_its_bridge()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        using var source = _directory.Open("source");
        Publish(source, 0, 10);
        await using (var forwarder = source.ForwardTo(_stream, Forwarding))
        {
            await UntilAsync(() => forwarder.GetStatistics().Confirmed == 10, "10 messages");
            Directory.Delete(source.Path, recursive: true);
            Look();
            Assert.Equal((10, 0), (_seen[("confirmed", "send")], _seen[("lag", "send")]));
        }

        Look();
        Assert.Equal(10, _seen[("confirmed", "send")]);
    }

    private void Look() => _listener.RecordObservableInstruments();

    private void See(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var named = new Dictionary<string, object?>(tags.ToArray(), StringComparer.Ordinal);
        if (Equals(named["bufferedmessages.bridge.name"], _name))
        {
            _seen[(instrument.Name[Prefix.Length..], (string)named["messaging.operation.name"]!)] = value;
            _places.Add((named["messaging.system"], named["messaging.destination.name"]));
        }
    }
}
