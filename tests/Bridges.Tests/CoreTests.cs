using System.Diagnostics;
using BufferedMessages.Segments;
using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Forwarder and receiver over a stream in memory.</summary>
public sealed class CoreTests : IDisposable
{
    private static readonly ForwarderOptions SmallRuns = new() { BatchMessages = 10, FirstRetryDelay = TimeSpan.FromMilliseconds(1) };
    private static readonly ReceiverOptions Eager = new() { FirstRetryDelay = TimeSpan.FromMilliseconds(1) };

    private readonly BridgeDirectory _directory = new();
    private readonly FakeStream _stream = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(256)]
    public async Task Messages_arrive_once_and_in_order(int batch)
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        Publish(source, 0, 500);
        await using var forwarder = source.ForwardTo(_stream, new ForwarderOptions { BatchMessages = batch });
        await using var receiver = destination.ReceiveFrom(_stream);
        await UntilAsync(() => receiver.GetStatistics().Received == 500, "500 messages");
        Publish(source, 500, 500);
        await UntilAsync(() => receiver.GetStatistics().Received == 1000, "1000 messages");

        Assert.Equal(Enumerable.Range(0, 1000).Select(static i => (long)i), Sequences(destination));
        await UntilAsync(() => forwarder.GetStatistics() is { Confirmed: 1000, InFlightRuns: 0, LagBytes: 0 }, "all are confirmed");
    }

    [Fact]
    public async Task Messages_of_batches_arrive_once_and_in_order()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        using (var producer = source.OpenProducer<Tick>())
        {
            for (var first = 0; first < 500; first += 25)
            {
                producer.PublishAll([.. Enumerable.Range(first, 25).Select(static i => new Tick { Sequence = i })]);
            }
        }

        await using var forwarder = source.ForwardTo(_stream, SmallRuns);
        await using var receiver = destination.ReceiveFrom(_stream);
        await UntilAsync(() => receiver.GetStatistics().Received == 500, "500 messages");

        Assert.Equal(Enumerable.Range(0, 500).Select(static i => (long)i), Sequences(destination));
        await UntilAsync(() => forwarder.GetStatistics() is { Confirmed: 500, InFlightRuns: 0, LagBytes: 0 }, "all are confirmed");
    }

    [Fact]
    public async Task A_copy_has_the_bytes_and_the_properties_of_the_message_and_names_its_source()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        var trace = new ActivityContext(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded, "a=b", isRemote: true);
        var properties = new MessageProperties { Time = DateTimeOffset.UnixEpoch, TraceContext = trace, CorrelationId = "c", ReplyTo = "r", Attempts = 3, Reason = "why", Source = new MessageId(Guid.NewGuid(), 7, 16) };
        properties.Headers["tenant"] = "blue";
        long position;
        using (var producer = source.OpenProducer<Tick>())
        {
            position = producer.Publish(new Tick { Sequence = 5, Symbol = "X" }, properties);
        }

        await using var forwarder = source.ForwardTo(_stream);
        await using var receiver = destination.ReceiveFrom(_stream);
        await UntilAsync(() => receiver.GetStatistics().Received == 1, "the message");

        using var reader = destination.OpenReader<TickBufferedMessage>();
        Assert.True(reader.TryRead(out var copy));
        Assert.Equal(5, copy.Message.Sequence);
        var copied = copy.Properties.ToProperties();
        Assert.Equal(new MessageId(source.Id, source.Epoch, position), copied.Source);
        Assert.Equal((properties.Time, trace, "c", "r", 3, "why"), (copied.Time, copied.TraceContext, copied.CorrelationId, copied.ReplyTo, copied.Attempts, copied.Reason));
        Assert.Equal("blue", copied.Headers["tenant"]);
    }

    [Fact]
    public async Task A_run_that_the_broker_stores_twice_is_published_once()
    {
        _stream.Fate = static _ => RunFate.StoredTwice;
        await CopyAsync(200, SmallRuns);
    }

    [Fact]
    public async Task A_lost_run_comes_again_and_the_later_ones_wait_for_it()
    {
        // The broker keeps the runs after the lost one, so the stream has a hole until the forwarder repeats it.
        _stream.Fate = static number => number == 4 ? RunFate.Lost : RunFate.Stored;
        var statistics = await CopyAsync(200, SmallRuns, reconnectAfter: 20);
        Assert.True(statistics.Holes > 0);
    }

    [Fact]
    public async Task A_lost_confirm_repeats_runs_that_the_receiver_drops()
    {
        _stream.Fate = static number => number == 4 ? RunFate.StoredWithoutConfirm : RunFate.Stored;
        await CopyAsync(200, SmallRuns, reconnectAfter: 20, hasDuplicates: true);
    }

    [Fact]
    public async Task A_refused_run_is_repeated()
    {
        _stream.Fate = static number => number is 3 or 9 ? RunFate.Refused : RunFate.Stored;
        await CopyAsync(200, SmallRuns);
    }

    [Fact]
    public async Task The_first_run_of_all_may_be_lost_without_a_loss()
    {
        // A receiver that knows nothing must not take the second run for the beginning.
        _stream.Fate = static number => number == 1 ? RunFate.Lost : RunFate.Stored;
        await CopyAsync(200, SmallRuns, reconnectAfter: 2);
    }

    [Fact]
    public async Task Nothing_follows_the_first_run_of_a_connection_before_it_is_confirmed()
    {
        // A stream whose first entry is not at offset 0 may have lost its beginning. A receiver would take a run after the lost ones for the first that is left.
        _stream.Append(default, "a foreign entry"u8.ToArray());
        _stream.Truncate(1);
        _stream.Fate = static number => number < 2 ? RunFate.Lost : RunFate.Stored;
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        Publish(source, 0, 200);
        await using var forwarder = source.ForwardTo(_stream, SmallRuns);
        await using var receiver = destination.ReceiveFrom(_stream, Eager);
        await UntilAsync(() => forwarder.GetStatistics().InFlightRuns == 2, "the schema and the first run were sent");
        Assert.Empty(_stream.Runs);
        _stream.Reconnect();

        await UntilAsync(() => receiver.GetStatistics().Received == 200, "200 messages");
        Assert.Equal(Enumerable.Range(0, 200).Select(static i => (long)i), Sequences(destination));
    }

    [Fact]
    public async Task Runs_in_another_order_are_published_in_theirs()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        Publish(source, 0, 60);
        await using (var forwarder = source.ForwardTo(_stream, SmallRuns))
        {
            await UntilAsync(() => forwarder.GetStatistics().Confirmed == 60, "60 messages");
        }

        var mixed = new FakeStream();
        int[] order = [0, 2, 1, 2, 4, 3, 3, 6, 5, 1, 4, 5, 6, 2, 6];
        mixed.AppendAll(order.Select(number => _stream.Entries[number]));

        await using var receiver = destination.ReceiveFrom(mixed, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received == 60, "60 messages");
        Assert.Equal(Enumerable.Range(0, 60).Select(static i => (long)i), Sequences(destination));
    }

    [Fact]
    public async Task A_broker_that_is_away_is_tried_again_and_nothing_is_lost()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        _stream.Break();
        await using var forwarder = source.ForwardTo(_stream, SmallRuns);
        await using var receiver = destination.ReceiveFrom(_stream, Eager);
        await UntilAsync(() => forwarder.GetStatistics() is { State: BridgeState.Retrying, Failure: IOException } && receiver.GetStatistics().State == BridgeState.Retrying, "both try again");
        for (var round = 0; round < 5; round++)
        {
            _stream.Repair();
            Publish(source, round * 100, 100);
            await UntilAsync(() => receiver.GetStatistics().Received >= (round * 100) + 30, "some messages");
            _stream.Break();
        }

        _stream.Repair();
        await UntilAsync(() => receiver.GetStatistics().Received == 500, "500 messages");
        Assert.Equal(Enumerable.Range(0, 500).Select(static i => (long)i), Sequences(destination));
    }

    [Fact]
    public async Task The_first_connection_is_not_one_that_was_made_again()
    {
        using var destination = _directory.Open("destination");
        _stream.Break();
        await using var receiver = destination.ReceiveFrom(_stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().State == BridgeState.Retrying, "a failed attempt");
        _stream.Repair();
        await UntilAsync(() => receiver.GetStatistics().State == BridgeState.Connected, "the first connection");
        Assert.Equal(0, receiver.GetStatistics().Reconnects);

        _stream.Reconnect();
        await UntilAsync(() => receiver.GetStatistics().Reconnects == 1, "another connection");
    }

    [Fact]
    public async Task A_forwarder_that_is_closed_while_runs_are_in_flight_has_one_wait_open()
    {
        using var source = _directory.Open("source");
        _stream.IsSlowToCancel = true;
        Publish(source, 0, 10);
        var forwarder = source.ForwardTo(_stream);
        await using (forwarder)
        {
            await UntilAsync(() => forwarder.GetStatistics().Confirmed == 10, "the first run is confirmed");
            _stream.Fate = static _ => RunFate.Lost;
            Publish(source, 10, 10);
            await UntilAsync(() => forwarder.GetStatistics().InFlightRuns >= 1, "a run in flight");
        }

        await forwarder.Completion;
    }

    [Fact]
    public void Times_that_no_timer_can_wait_are_refused()
    {
        using var queue = _directory.Open("queue");
        var longest = TimeSpan.MaxValue;

        Assert.Throws<ArgumentOutOfRangeException>(nameof(ForwarderOptions.MaxRetryDelay), () => queue.ForwardTo(_stream, new ForwarderOptions { MaxRetryDelay = longest }));
        Assert.Throws<ArgumentOutOfRangeException>(nameof(ForwarderOptions.BatchDelay), () => queue.ForwardTo(_stream, new ForwarderOptions { BatchDelay = longest }));
        Assert.Throws<ArgumentOutOfRangeException>(nameof(ReceiverOptions.JournalInterval), () => queue.ReceiveFrom(_stream, new ReceiverOptions { JournalInterval = longest }));
        Assert.Throws<ArgumentOutOfRangeException>(nameof(ReceiverOptions.StreamTimeout), () => queue.ReceiveFrom(_stream, new ReceiverOptions { StreamTimeout = longest }));
    }

    [Fact]
    public async Task A_second_bridge_of_a_name_is_refused()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        await using var forwarder = source.ForwardTo(_stream);
        await using var receiver = destination.ReceiveFrom(_stream);

        Assert.Equal(Environment.ProcessId, Assert.Throws<QueueInUseException>(() => source.ForwardTo(_stream)).ProcessId);
        var refused = Assert.Throws<QueueInUseException>(() => destination.ReceiveFrom(_stream));
        Assert.Equal(Environment.ProcessId, refused.ProcessId);
        Assert.Contains($"The receiver 'orders' of the queue in '{destination.Path}' is in use by process {Environment.ProcessId}", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_queue_that_was_opened_for_reading_is_refused_and_stays_as_it_is()
    {
        var path = _directory.PathOf("queue");
        _directory.Open("queue").Dispose();
        var files = Directory.GetFileSystemEntries(path, "*", SearchOption.AllDirectories);
        using var queue = MessageQueue.OpenReadOnly(path);

        Assert.Throws<UnauthorizedAccessException>(() => queue.ForwardTo(_stream));
        Assert.Throws<UnauthorizedAccessException>(() => queue.ReceiveFrom(_stream));
        Assert.Equal(files, Directory.GetFileSystemEntries(path, "*", SearchOption.AllDirectories));
    }

    [Fact]
    public async Task A_name_that_is_too_long_for_a_file_is_refused()
    {
        using var queue = _directory.Open("queue");
        var name = new string('n', 219);

        Assert.Throws<ArgumentException>(() => queue.ForwardTo(_stream, new ForwarderOptions { Name = name }));
        Assert.Throws<ArgumentException>(() => queue.ReceiveFrom(_stream, new ReceiverOptions { Name = name }));
        await using var longest = queue.ReceiveFrom(_stream, new ReceiverOptions { Name = name[1..] });
        Assert.Equal(name[1..], longest.Name);

        // As a removal of one of its dead letters makes its notes.
        var dead = Directory.CreateDirectory(Path.Combine(queue.Path, "dead")).FullName;
        FilePermissions.OfUser.CreateEmpty(Path.Combine(dead, $"bridge.{longest.Name}.removed"));
    }

    [Fact]
    public async Task A_receiver_that_is_opened_again_goes_on_where_it_was()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        await using var forwarder = source.ForwardTo(_stream, SmallRuns);
        for (var round = 0; round < 4; round++)
        {
            Publish(source, round * 50, 50);
            await using var receiver = destination.ReceiveFrom(_stream, Eager);
            await UntilAsync(() => receiver.GetStatistics().Received == 50, "50 messages");
        }

        Assert.Equal(Enumerable.Range(0, 200).Select(static i => (long)i), Sequences(destination));
    }

    [Fact]
    public async Task Without_its_journal_a_receiver_knows_the_messages_by_their_source()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        await using var forwarder = source.ForwardTo(_stream, SmallRuns);
        for (var round = 0; round < 3; round++)
        {
            Publish(source, round * 50, 50);
            await using (var receiver = destination.ReceiveFrom(_stream, Eager))
            {
                await UntilAsync(() => receiver.GetStatistics().Received == 50, "50 messages");
            }

            File.Delete(Path.Combine(destination.Path, "bridges", "orders.json"));
        }

        Assert.Equal(Enumerable.Range(0, 150).Select(static i => (long)i), Sequences(destination));
    }

    [Fact]
    public async Task A_run_is_sent_after_its_delay_also_if_messages_keep_coming()
    {
        using var source = _directory.Open("source");
        await using var forwarder = source.ForwardTo(_stream, new ForwarderOptions { BatchDelay = TimeSpan.FromMilliseconds(500), BatchMessages = 1_000_000 });
        for (var i = 0; _stream.Runs.Count == 0; i++)
        {
            Assert.True(i < 1000, "All messages waited for the next one.");
            Publish(source, i, 1);
            await Task.Delay(10);
        }
    }

    [Fact]
    public async Task A_run_ends_where_a_crash_of_the_machine_began_another_epoch()
    {
        long cut;
        using (var crashing = _directory.Open("source"))
        {
            Publish(crashing, 0, 5);
            cut = crashing.PublishedPosition;
            Publish(crashing, 5, 5);
        }

        Crashes.CutTail(_directory.PathOf("source"), cut);
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        Publish(source, 100, 5);
        await using var forwarder = source.ForwardTo(_stream);
        await using var receiver = destination.ReceiveFrom(_stream);
        await UntilAsync(() => receiver.GetStatistics().Received == 10, "10 messages");
        Assert.Equal([(1L, 5), (2L, 5)], _stream.Runs.Select(static run => (run.Epoch, run.Count)));
    }

    [Theory]
    [InlineData(3, long.MaxValue, 3)]
    [InlineData(128, 1L, 1)]
    public async Task No_more_runs_and_bytes_are_in_flight_than_the_options_allow(int runs, long bytes, int expected)
    {
        // The schema and the first run are confirmed, and nothing after them on the first connection.
        var sent = 0;
        _stream.Fate = number =>
        {
            var isFirst = _stream.Connections == 1;
            sent += isFirst ? 1 : 0;
            return isFirst && number >= 2 ? RunFate.StoredWithoutConfirm : RunFate.Stored;
        };
        using var source = _directory.Open("source");
        Publish(source, 0, 200);
        var options = new ForwarderOptions { BatchMessages = 10, MaxInFlightRuns = runs, MaxInFlightBytes = bytes, FirstRetryDelay = TimeSpan.FromMilliseconds(1) };
        await using var forwarder = source.ForwardTo(_stream, options);
        await UntilAsync(() => Volatile.Read(ref sent) >= 2 + expected, "the runs in flight");
        _stream.Reconnect();
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0, "all are confirmed");
        Assert.Equal(2 + expected, sent);
    }

    private async Task<ReceiverStatistics> CopyAsync(int count, ForwarderOptions options, int reconnectAfter = 0, bool hasDuplicates = false)
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        Publish(source, 0, count);
        await using var forwarder = source.ForwardTo(_stream, options);
        await using var receiver = destination.ReceiveFrom(_stream, Eager);
        if (reconnectAfter != 0)
        {
            await UntilAsync(() => _stream.Sent >= reconnectAfter, $"{reconnectAfter} runs were sent");
            _stream.Reconnect();
        }

        await UntilAsync(() => receiver.GetStatistics().Received == count, $"{count} messages, and not {receiver.GetStatistics().Received}");
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0, "all are confirmed");
        await UntilAsync(() => receiver.GetStatistics().Duplicates > 0 || !hasDuplicates, "repeated messages are dropped");
        Assert.Equal(Enumerable.Range(0, count).Select(static i => (long)i), Sequences(destination));
        return receiver.GetStatistics();
    }
}
