using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Streams that lost entries, or were made anew.</summary>
public sealed class StreamFaultTests : BridgeFixture
{
    private const int LargeBytes = 40 * 1024;

    private static readonly ReceiverOptions Skipping = new() { FirstRetryDelay = TimeSpan.FromMilliseconds(1), OnDeleted = DeletedMessages.Skip };

    [Fact]
    public async Task A_log_that_throws_stops_no_bridge()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        using var log = new LogLines("BufferedMessages.Bridges") { IsFailing = true };
        Publish(source, 0, 20);
        Stream.Break();
        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1), Logger = log });
        await using var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1), Logger = log });
        await UntilAsync(() => log.Of(2).Count >= 4, "failures of both");
        Stream.Repair();

        await UntilAsync(() => receiver.GetStatistics().Received == 20, "all messages");
        Assert.Equal(Sequence(0, 20), Sequences(destination));
    }

    [Fact]
    public async Task A_stream_that_lost_entries_before_they_were_read_stops_the_receiver()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        await TruncateAfterTwentyAsync(source, destination);

        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        var stopped = await Assert.ThrowsAsync<StreamTruncatedException>(() => receiver.Completion.WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.True(stopped.First > stopped.Wanted);
        Assert.Equal((BridgeState.Stopped, stopped), (receiver.GetStatistics().State, receiver.GetStatistics().Failure));
    }

    [Fact]
    public async Task A_stream_that_lost_entries_before_they_were_read_is_continued_on_request()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        await TruncateAfterTwentyAsync(source, destination);

        await using var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { OnDeleted = DeletedMessages.Skip });
        await UntilAsync(() => receiver.GetStatistics() is { Received: > 0, Deletions: > 0 } && Sequences(destination)[^1] == 99, "the last message");
        var sequences = Sequences(destination);
        Assert.Equal(sequences.Order(), sequences);
        Assert.Equal(sequences.Distinct(), sequences);
    }

    [Theory]
    [InlineData(DeletedMessages.Stop)]
    [InlineData(DeletedMessages.Skip)]
    public async Task A_connected_receiver_that_retention_overtakes_finds_it_out(DeletedMessages onDeleted)
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 100);
        await ForwardAllAsync(source);

        // The receiver has read three runs when retention deletes them and the two after them.
        var stream = FirstRuns(3);
        await using var receiver = destination.ReceiveFrom(stream, new ReceiverOptions { OnDeleted = onDeleted, StreamTimeout = TimeSpan.FromMilliseconds(100), FirstRetryDelay = TimeSpan.FromMilliseconds(1) });
        await UntilAsync(() => receiver.GetStatistics().Received == 30, "30 messages");
        stream.AppendAndTruncate(Stream.Entries.Skip(4), deleted: 6);

        if (onDeleted == DeletedMessages.Stop)
        {
            await Assert.ThrowsAsync<StreamTruncatedException>(() => receiver.Completion.WaitAsync(TimeSpan.FromSeconds(30)));
        }
        else
        {
            await UntilAsync(() => receiver.GetStatistics().Received == 80, "the messages that are left");
            Assert.Equal([.. Sequence(0, 30), .. Sequence(50, 50)], Sequences(destination));
        }
    }

    [Fact]
    public async Task A_stream_that_was_made_anew_is_said_and_read_from_its_beginning_on_request()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        var again = await MakeAnewAsync(source, destination);
        var soon = TimeSpan.FromMilliseconds(50);
        await using (var receiver = destination.ReceiveFrom(again, new ReceiverOptions { StreamTimeout = soon }))
        {
            await UntilAsync(() => receiver.GetStatistics() is { State: BridgeState.Retrying, Failure.Message: var message } && message.Contains("created again", StringComparison.Ordinal), "the warning");
        }

        await using (var receiver = destination.ReceiveFrom(again, new ReceiverOptions { StreamTimeout = soon, OnDeleted = DeletedMessages.Skip }))
        {
            await UntilAsync(() => receiver.GetStatistics().Received == 20, "20 messages");
        }

        Assert.Equal(Sequence(0, 120), Sequences(destination));
    }

    [Fact]
    public async Task A_stream_that_was_made_anew_is_read_from_its_beginning_also_by_a_receiver_that_began_at_the_end()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        var again = await MakeAnewAsync(source, destination);
        var options = new ReceiverOptions { Start = StreamStart.Latest, FirstRetryDelay = TimeSpan.FromMilliseconds(1), StreamTimeout = TimeSpan.FromMilliseconds(50), OnDeleted = DeletedMessages.Skip };
        await ReceiveAllAsync(destination, 20, options, again);

        Assert.Equal(Sequence(0, 120), Sequences(destination));
    }

    [Fact]
    public async Task A_receiver_that_skipped_deleted_entries_accepts_a_later_hole_of_another_queue_after_a_restart()
    {
        using var first = Directories.Open("first");
        using var second = Directories.Open("second");
        using var destination = Directories.Open("destination");
        Publish(first, 0, 10);
        Publish(second, 100, 10);
        await ForwardAllAsync(first);
        await ForwardAllAsync(second);
        await ReceiveAllAsync(destination, 20);

        // The deleted entries hold messages of the second queue. A receiver finds that out by the first queue's, and another one meets the hole.
        Publish(second, 110, 10);
        await ForwardAllAsync(second);
        var deleted = Stream.Entries.Count;
        Publish(first, 10, 10);
        await ForwardAllAsync(first);
        Stream.Truncate(deleted);
        await ReceiveAllAsync(destination, 10, Skipping);
        Publish(second, 120, 10);
        await ForwardAllAsync(second);
        await ReceiveAllAsync(destination, 10, Skipping);

        Assert.Equal([.. Sequence(0, 10), .. Sequence(100, 10), .. Sequence(10, 10), .. Sequence(120, 10)], Sequences(destination));
    }

    [Fact]
    public async Task A_receiver_that_has_read_the_first_schema_alone_takes_the_rest_of_its_queue_when_entries_were_deleted()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 30);
        await ForwardAllAsync(source);
        var stream = FirstRuns(0);
        await using (var receiver = destination.ReceiveFrom(stream, Skipping))
        {
            await UntilAsync(() => receiver.GetStatistics().Offset is not null, "the schema");
        }

        // Retention deletes the schema and the first two runs.
        stream.AppendAndTruncate(Stream.Entries.Skip(1), deleted: 3);
        await ReceiveAllAsync(destination, 10, Skipping, stream);

        Assert.Equal(Sequence(20, 10), Sequences(destination));
    }

    [Fact]
    public async Task A_receiver_that_is_closed_before_it_can_publish_after_a_hole_accepts_the_hole_again()
    {
        using var first = Directories.Open("first");
        using var second = Directories.Open("second");
        using var destination = Directories.Open("destination", new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 64 * 1024, Slots = 2 });
        using var consumer = destination.OpenConsumer<RawMessage>("slow");
        await ForwardAsync(first, 10);
        await ForwardAsync(second, 10);
        await ReceiveAllAsync(destination, 2);
        await ForwardAsync(second, 10);
        var deleted = Stream.Entries.Count;
        await ForwardAsync(first, 10);
        await ForwardAsync(second, LargeBytes);
        Stream.Truncate(deleted);

        // There is room for the small message of the first queue, and none for the large one of the second.
        using (var producer = destination.OpenProducer())
        {
            producer.Publish(new byte[LargeBytes]);
            producer.Publish(new byte[LargeBytes]);
        }

        await using (var receiver = destination.ReceiveFrom(Stream, Skipping))
        {
            await UntilAsync(() => receiver.GetStatistics() is { Received: 1, Deletions: 2 }, "the hole of the second queue");
        }

        while (consumer.TryRead(out var delivery))
        {
            delivery.Commit();
        }

        await ReceiveAllAsync(destination, 1, Skipping);
        Assert.True(consumer.TryRead(out var large));
        Assert.Equal(LargeBytes, large.Message.Bytes.Length);
        large.Commit();

        async Task ForwardAsync(MessageQueue source, int bytes)
        {
            using (var producer = source.OpenProducer())
            {
                producer.Publish(new byte[bytes]);
            }

            await ForwardAllAsync(source);
        }
    }

    [Fact]
    public async Task A_new_receiver_of_a_stream_that_lost_its_beginning_takes_the_rest()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 100);
        await ForwardAllAsync(source);
        Stream.Truncate(5);
        Publish(source, 100, 20);
        await ForwardAllAsync(source);

        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received == 80, "80 messages");
        Assert.Equal(Sequence(40, 80), Sequences(destination));
    }

    [Fact]
    public async Task A_new_receiver_of_a_stream_that_begins_with_one_queue_takes_the_rest_of_another()
    {
        using var first = Directories.Open("first");
        using var second = Directories.Open("second");
        using var destination = Directories.Open("destination");
        Publish(first, 0, 10);
        await using var forwarder = first.ForwardTo(Stream);
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0, "the first run of the first queue");
        var deleted = Stream.Entries.Count;
        Publish(second, 100, 10);
        await ForwardAllAsync(second);
        Publish(first, 10, 10);
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0, "the second run of the first queue");
        Stream.Truncate(deleted);

        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received == 20, "20 messages");
        Assert.Equal([.. Sequence(100, 10), .. Sequence(10, 10)], Sequences(destination));
    }

    [Fact]
    public async Task A_hole_of_one_queue_is_found_out_also_if_that_of_another_queue_is_filled()
    {
        using var first = Directories.Open("first");
        using var second = Directories.Open("second");
        using var destination = Directories.Open("destination");
        Publish(first, 0, 30);
        Publish(second, 100, 30);
        await ForwardAllAsync(first);
        await ForwardAllAsync(second);
        var (ofFirst, ofSecond) = (Stream.Entries.Take(4).ToArray(), Stream.Entries.Skip(4).ToArray());
        var stream = new FakeStream();
        stream.AppendAll([ofFirst[0], ofFirst[1], ofSecond[0], ofSecond[1]]);

        await using var receiver = destination.ReceiveFrom(stream, new ReceiverOptions { StreamTimeout = TimeSpan.FromMilliseconds(500), FirstRetryDelay = TimeSpan.FromMilliseconds(1) });
        await UntilAsync(() => receiver.GetStatistics().Received == 20, "the first run of each queue");

        // Retention overtakes the receiver: a run of the second queue is gone. The first queue lacks one too, which comes later.
        stream.AppendAndTruncate([ofSecond[2], ofFirst[3], ofSecond[3], ofFirst[2], ofFirst[3]], deleted: 5);
        await Assert.ThrowsAsync<StreamTruncatedException>(() => receiver.Completion.WaitAsync(TimeSpan.FromSeconds(60)));
    }

    [Fact]
    public async Task A_receiver_may_begin_at_the_end_of_the_stream()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 100);
        await ForwardAllAsync(source);
        await using var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { Start = StreamStart.Latest });
        await UntilAsync(() => receiver.GetStatistics().State == BridgeState.Connected, "the connection");
        Publish(source, 100, 20);
        await ForwardAllAsync(source);

        await UntilAsync(() => receiver.GetStatistics().Received == 20, "20 messages");
        Assert.Equal(Sequence(100, 20), Sequences(destination));
    }

    [Fact]
    public async Task Without_its_journal_a_receiver_that_begins_at_an_offset_publishes_nothing_twice()
    {
        using var first = Directories.Open("first");
        using var second = Directories.Open("second");
        using var destination = Directories.Open("destination");
        Publish(first, 0, 40);
        Publish(second, 100, 20);
        await ForwardAllAsync(first);
        await ForwardAllAsync(second);

        // The broker has lost a run of the first queue, and the receiver drops the one after it. The runs of the second queue follow.
        var stream = new FakeStream();
        foreach (var entry in Stream.Entries)
        {
            stream.Append(entry.Offset.Major == 3 ? default : entry.Header, entry.Body);
        }

        await ReceiveAllAsync(destination, 40, stream);
        File.Delete(JournalPath);
        await using var receiver = destination.ReceiveFrom(stream, new ReceiverOptions { Start = StreamStart.At(new StreamOffset(4)) });
        await UntilAsync(() => receiver.GetStatistics().Offset == stream.Entries[^1].Offset, "the last run");
        Assert.Equal([.. Sequence(0, 20), .. Sequence(100, 20), .. Sequence(30, 10)], Sequences(destination));
    }

    [Fact]
    public async Task A_receiver_that_begins_at_the_end_keeps_its_place_if_its_first_run_cannot_be_published_yet()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 10);
        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1) });
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0, "10 messages");
        await using var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { Start = StreamStart.Latest, FirstRetryDelay = TimeSpan.FromMilliseconds(1) });
        await UntilAsync(() => receiver.GetStatistics().State == BridgeState.Connected, "the connection");

        // The receiver does not know the schema, and looks for it by another connection when all are lost.
        Publish(source, 10, 10);
        await UntilAsync(() => Stream.Connections == 3, "the search for the schema");
        Stream.Reconnect();
        await UntilAsync(() => receiver.GetStatistics().Reconnects == 1, "the connection after the loss");
        Publish(source, 20, 10);

        await UntilAsync(() => receiver.GetStatistics().Received == 20, "20 messages");
        Assert.Equal(Sequence(10, 20), Sequences(destination));
    }

    [Fact]
    public async Task The_first_entry_is_in_the_journal_at_once()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 10);
        await ForwardAllAsync(source);
        await using var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { JournalInterval = TimeSpan.FromHours(1) });

        await UntilAsync(() => File.Exists(JournalPath), "the journal");
    }

    // The destination has the 100 messages of the stream before. The new one begins with 20 others.
    private async Task<FakeStream> MakeAnewAsync(MessageQueue source, MessageQueue destination)
    {
        Publish(source, 0, 100);
        await ForwardAllAsync(source);
        await ReceiveAllAsync(destination, 100);
        Publish(source, 100, 20);
        var again = new FakeStream();
        await ForwardAllAsync(source, stream: again);
        return again;
    }

    private async Task TruncateAfterTwentyAsync(MessageQueue source, MessageQueue destination)
    {
        Publish(source, 0, 20);
        await ForwardAllAsync(source);
        await using (var receiver = destination.ReceiveFrom(Stream, Eager))
        {
            await UntilAsync(() => receiver.GetStatistics().Received == 20, "20 messages");
        }

        Publish(source, 20, 80);
        await ForwardAllAsync(source);
        Stream.Truncate(8);
    }
}
