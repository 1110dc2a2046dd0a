using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Queues that are made anew, cut off, full or deleted, streams that lost their beginning, and bytes that are damaged.</summary>
public sealed class FaultTests : IDisposable
{
    private static readonly ReceiverOptions Eager = new() { FirstRetryDelay = TimeSpan.FromMilliseconds(1) };

    private readonly BridgeDirectory _directory = new();
    private readonly FakeStream _stream = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task A_source_that_is_made_anew_begins_a_chain_of_its_own()
    {
        using var destination = _directory.Open("destination");
        await using var receiver = destination.ReceiveFrom(_stream, Eager);
        for (var round = 0; round < 3; round++)
        {
            using (var source = _directory.Open("source"))
            {
                Publish(source, round * 20, 20);
                await ForwardAllAsync(source);
            }

            Directory.Delete(_directory.PathOf("source"), recursive: true);
        }

        await UntilAsync(() => receiver.GetStatistics().Received == 60, "60 messages");
        Assert.Equal(Sequence(0, 60), Sequences(destination));
    }

    [Fact]
    public async Task Messages_at_positions_that_a_crash_cut_off_are_new_messages()
    {
        using var destination = _directory.Open("destination");
        await using var receiver = destination.ReceiveFrom(_stream, Eager);
        long cut;
        using (var source = _directory.Open("source"))
        {
            Publish(source, 0, 50);
            cut = source.PublishedPosition;
            Publish(source, 50, 30);
            await ForwardAllAsync(source);
        }

        await UntilAsync(() => receiver.GetStatistics().Received == 80, "80 messages");
        Crashes.CutTail(_directory.PathOf("source"), cut);
        using (var source = _directory.Open("source"))
        {
            Assert.Equal(2, source.Epoch);
            Publish(source, 1000, 10);
            await ForwardAllAsync(source);
        }

        await UntilAsync(() => receiver.GetStatistics().Received == 90, "the new messages");
        Assert.Equal([.. Sequence(0, 80), .. Sequence(1000, 10)], Sequences(destination));
    }

    [Fact]
    public async Task Messages_that_a_crash_cut_off_the_destination_come_again()
    {
        using var source = _directory.Open("source");
        Publish(source, 0, 100);
        await ForwardAllAsync(source);
        long cut;
        using (var destination = _directory.Open("destination"))
        {
            await ReceiveAllAsync(destination, 60, FirstRuns(6));
            cut = destination.PublishedPosition;
        }

        // The journal of the last receiver counts the messages that are on the disk; those after them were not.
        var journal = File.ReadAllBytes(JournalPath);
        using (var destination = _directory.Open("destination"))
        {
            await ReceiveAllAsync(destination, 40);
        }

        File.WriteAllBytes(JournalPath, journal);
        Crashes.CutTail(_directory.PathOf("destination"), cut);
        using (var destination = _directory.Open("destination"))
        {
            await ReceiveAllAsync(destination, 40);
            Assert.Equal(Sequence(0, 100), Sequences(destination));
        }
    }

    [Fact]
    public async Task A_receiver_that_died_after_its_journal_knows_the_messages_since_then()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        Publish(source, 0, 100);
        await ForwardAllAsync(source);
        await ReceiveAllAsync(destination, 30, FirstRuns(3));
        var journal = File.ReadAllBytes(JournalPath);
        await ReceiveAllAsync(destination, 70);

        File.WriteAllBytes(JournalPath, journal);
        Publish(source, 100, 10);
        await ForwardAllAsync(source);
        await ReceiveAllAsync(destination, 10);
        Assert.Equal(Sequence(0, 110), Sequences(destination));
    }

    [Fact]
    public async Task A_destination_that_is_full_holds_up_the_receiver_until_there_is_room()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination", new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 64 * 1024, Slots = 2 });
        using var consumer = destination.OpenConsumer<TickBufferedMessage>("slow");
        Publish(source, 0, 5000);
        await using var forwarder = source.ForwardTo(_stream);
        await using var receiver = destination.ReceiveFrom(_stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received > 500, "some messages");
        for (var i = 0; i < 5000; i++)
        {
            using var delivery = await consumer.ReadAsync();
            Assert.Equal(i, delivery.Message.Sequence);
            delivery.Commit();
        }
    }

    [Fact]
    public async Task A_stream_that_lost_entries_before_they_were_read_stops_the_receiver()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        await TruncateAfterTwentyAsync(source, destination);

        await using var receiver = destination.ReceiveFrom(_stream, Eager);
        var stopped = await Assert.ThrowsAsync<StreamTruncatedException>(() => receiver.Completion.WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.True(stopped.First > stopped.Wanted);
        Assert.Equal((BridgeState.Stopped, stopped), (receiver.GetStatistics().State, receiver.GetStatistics().LastFailure));
    }

    [Fact]
    public async Task A_stream_that_lost_entries_before_they_were_read_is_continued_on_request()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        await TruncateAfterTwentyAsync(source, destination);

        await using var receiver = destination.ReceiveFrom(_stream, new ReceiverOptions { OnDeleted = DeletedMessages.Skip });
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
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        Publish(source, 0, 100);
        await ForwardAllAsync(source);

        // The receiver has read three runs when retention deletes them and the two after them.
        var stream = FirstRuns(3);
        await using var receiver = destination.ReceiveFrom(stream, new ReceiverOptions { OnDeleted = onDeleted, StreamTimeout = TimeSpan.FromMilliseconds(100), FirstRetryDelay = TimeSpan.FromMilliseconds(1) });
        await UntilAsync(() => receiver.GetStatistics().Received == 30, "30 messages");
        stream.AppendAndTruncate(_stream.Entries.Skip(4), deleted: 6);

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
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        Publish(source, 0, 100);
        await ForwardAllAsync(source);
        await ReceiveAllAsync(destination, 100);
        Publish(source, 100, 20);
        var again = new FakeStream();
        await using var forwarder = source.ForwardTo(again, new ForwarderOptions { BatchMessages = 10 });
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0, "all are confirmed");

        var soon = TimeSpan.FromMilliseconds(50);
        await using (var receiver = destination.ReceiveFrom(again, new ReceiverOptions { StreamTimeout = soon }))
        {
            await UntilAsync(() => receiver.GetStatistics() is { State: BridgeState.Retrying, LastFailure.Message: var message } && message.Contains("made anew", StringComparison.Ordinal), "the warning");
        }

        await using (var receiver = destination.ReceiveFrom(again, new ReceiverOptions { StreamTimeout = soon, OnDeleted = DeletedMessages.Skip }))
        {
            await UntilAsync(() => receiver.GetStatistics().Received == 20, "20 messages");
        }

        Assert.Equal(Sequence(0, 120), Sequences(destination));
    }

    [Fact]
    public async Task A_new_receiver_of_a_stream_that_lost_its_beginning_takes_the_rest()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        Publish(source, 0, 100);
        await ForwardAllAsync(source);
        _stream.Truncate(5);
        Publish(source, 100, 20);
        await ForwardAllAsync(source);

        await using var receiver = destination.ReceiveFrom(_stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received == 80, "80 messages");
        Assert.Equal(Sequence(40, 80), Sequences(destination));
    }

    [Fact]
    public async Task A_receiver_may_begin_at_the_end_of_the_stream()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        Publish(source, 0, 100);
        await ForwardAllAsync(source);
        await using var receiver = destination.ReceiveFrom(_stream, new ReceiverOptions { Start = StreamStart.End });
        await UntilAsync(() => receiver.GetStatistics().State == BridgeState.Connected, "the connection");
        Publish(source, 100, 20);
        await ForwardAllAsync(source);

        await UntilAsync(() => receiver.GetStatistics().Received == 20, "20 messages");
        Assert.Equal(Sequence(100, 20), Sequences(destination));
    }

    [Fact]
    public async Task A_forwarder_whose_messages_were_deleted_stops()
    {
        using var source = OpenWithSmallSegments();
        await DeleteUnforwardedAsync(source);
        await using var forwarder = source.ForwardTo(_stream);
        await Assert.ThrowsAsync<MessagesDeletedException>(() => forwarder.Completion.WaitAsync(TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public async Task A_forwarder_whose_messages_were_deleted_goes_on_at_the_first_that_is_left_on_request()
    {
        using var source = OpenWithSmallSegments();
        using var destination = _directory.Open("destination");
        await DeleteUnforwardedAsync(source);
        var left = Sequences(source);
        await using var forwarder = source.ForwardTo(_stream, new ForwarderOptions { OnDeleted = DeletedMessages.Skip });
        await using var receiver = destination.ReceiveFrom(_stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received == left.Count + 10, "the messages that are left");
        Assert.Equal([.. Sequence(0, 10), .. left], Sequences(destination));
        Assert.Equal((1L, 1L), (forwarder.GetStatistics().Deletions, receiver.GetStatistics().Deletions));
    }

    [Fact]
    public async Task A_contradiction_of_schemas_stops_the_receiver_with_both_lines()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        using (destination.OpenProducer<OtherTick>())
        {
        }

        Publish(source, 0, 10);
        await using var forwarder = source.ForwardTo(_stream);
        await using var receiver = destination.ReceiveFrom(_stream, Eager);
        var stopped = await Assert.ThrowsAsync<SchemaMismatchException>(() => receiver.Completion.WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.NotEqual(stopped.Line, stopped.OtherLine);
    }

    [Fact]
    public async Task Queues_of_raw_bytes_and_of_values_are_bridged_too()
    {
        using var raw = _directory.Open("raw");
        using var rawCopy = _directory.Open("raw-copy");
        using (var producer = raw.OpenProducer())
        {
            producer.Publish([]);
            producer.Publish([1, 2, 3]);
        }

        await using var forwarder = raw.ForwardTo(_stream);
        await using var receiver = rawCopy.ReceiveFrom(_stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received == 2, "2 messages");
        using var reader = rawCopy.OpenReader<RawMessage>();
        Assert.True(reader.TryRead(out var empty) && empty.Message.Bytes.Length == 0);
        Assert.True(reader.TryRead(out var three) && three.Message.Bytes.SequenceEqual<byte>([1, 2, 3]));

        using var values = _directory.Open("values");
        using var valuesCopy = _directory.Open("values-copy");
        using (var producer = values.OpenValueProducer<Point>())
        {
            producer.Publish(new Point { X = 3, Y = 4 });
        }

        var stream = new FakeStream("points");
        await using var valueForwarder = values.ForwardTo(stream);
        await using var valueReceiver = valuesCopy.ReceiveFrom(stream, Eager);
        await UntilAsync(() => valueReceiver.GetStatistics().Received == 1, "the value");
        using var valueReader = valuesCopy.OpenReader<ValueMessage<Point>>();
        Assert.True(valueReader.TryRead(out var point));
        Assert.Equal(4, point.Message.Value.Y);
    }

    [Fact]
    public async Task A_message_that_is_too_large_stops_the_forwarder()
    {
        using var source = _directory.Open("source");
        _stream.MaxBodyBytes = 1000;
        using (var producer = source.OpenProducer())
        {
            producer.Publish(new byte[2000]);
        }

        await using var forwarder = source.ForwardTo(_stream);
        var stopped = await Assert.ThrowsAsync<MessageTooLargeException>(() => forwarder.Completion.WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.Equal((2000L, 1000L), (stopped.Size, stopped.Limit));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public async Task A_message_that_is_too_large_goes_to_the_dead_letters_on_request(int batch)
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        _stream.MaxBodyBytes = 1000;
        using (var producer = source.OpenProducer())
        {
            for (var i = 0; i < 20; i++)
            {
                producer.Publish(new byte[i % 7 == 3 ? 2000 : i]);
            }
        }

        await using var forwarder = source.ForwardTo(_stream, new ForwarderOptions { BatchMessages = batch, OnTooLarge = OversizedMessages.DeadLetter });
        await using var receiver = destination.ReceiveFrom(_stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received == 17 && forwarder.GetStatistics().LagBytes == 0, "17 messages");
        Assert.Equal(3, forwarder.GetStatistics().DeadLetters);
        using var dead = MessageQueue.OpenExisting(Path.Combine(source.Path, "dead", "orders"));
        using var reader = dead.OpenReader<RawMessage>();
        Assert.True(reader.TryRead(out var letter));
        Assert.Equal(2000, letter.Message.Bytes.Length);
        Assert.Equal(source.Id, letter.Properties.Source!.Value.QueueId);
        Assert.Contains("2000 bytes", letter.Properties.Reason.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Damaged_messages_go_to_the_dead_letters_and_the_chain_goes_on()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        Publish(source, 0, 30);
        await ForwardAllAsync(source, batch: 8);
        var damaged = new FakeStream();
        foreach (var entry in _stream.Entries)
        {
            var body = entry.Body.ToArray();
            if (entry.Offset.Major == 2)
            {
                body.AsSpan(16 + 4, 4).Fill(0xFF);
            }

            if (entry.Offset.Major == 3)
            {
                body.AsSpan(8, 4).Fill(0x7F);
            }

            damaged.Append(entry.Header, body);
        }

        damaged.Append(default, "a foreign entry"u8.ToArray());
        damaged.Append(new byte[10], "a damaged header"u8.ToArray());
        await using var receiver = destination.ReceiveFrom(damaged, Eager);
        await UntilAsync(() => receiver.GetStatistics() is { Foreign: 1, DeadLetters: 3 }, "3 dead letters");

        // One message of the first damaged run, and all of the second one.
        Assert.Equal([.. Sequence(0, 8), .. Sequence(9, 7), .. Sequence(24, 6)], Sequences(destination));
    }

    [Fact]
    public async Task Hostile_runs_end_no_process_and_publish_nothing_that_is_not_a_message()
    {
        using var source = _directory.Open("source");
        using var destination = _directory.Open("destination");
        Publish(source, 0, 40);
        await ForwardAllAsync(source);
        var random = new Random(4711);
        var hostile = new FakeStream();
        for (var i = 0; i < 3000; i++)
        {
            var entry = _stream.Entries[random.Next(_stream.Entries.Count)];
            var (header, body) = (entry.Header.ToArray(), entry.Body.ToArray());
            var part = random.Next(3) == 0 ? header.AsSpan(4) : body;
            if (part.Length != 0)
            {
                part[random.Next(part.Length)] = (byte)random.Next();
            }

            hostile.Append(header.AsMemory(0, random.Next(20) == 0 ? random.Next(header.Length) : header.Length), body.AsMemory(0, random.Next(5) == 0 ? random.Next(body.Length + 1) : body.Length));
        }

        await using var receiver = destination.ReceiveFrom(hostile, Eager);
        await UntilAsync(() => receiver.GetStatistics().Offset == new StreamOffset(2999) || receiver.Completion.IsCompleted, "the last entry");
        using var reader = destination.OpenReader<RawMessage>();
        while (reader.TryRead(out var delivery))
        {
            Assert.True(BufferedMessage.Verify(delivery.Message.Bytes, source.Schemas[0], out _));
            delivery.Commit();
        }
    }

    [Fact]
    public async Task Only_messages_on_the_disk_leave_the_machine_when_the_queue_is_flushed()
    {
        using var source = _directory.Open("source", new MessageQueueOptions { Flush = FlushMode.Interval, FlushInterval = TimeSpan.FromHours(1) });
        Publish(source, 0, 100);
        await ForwardAllAsync(source);
        Assert.True(source.DurablePosition >= source.PublishedPosition);
    }

    private string JournalPath => Path.Combine(_directory.PathOf("destination"), "bridges", "orders.json");

    private static IEnumerable<long> Sequence(int first, int count) => Enumerable.Range(first, count).Select(static i => (long)i);

    private async Task ForwardAllAsync(MessageQueue source, int batch = 10)
    {
        await using var forwarder = source.ForwardTo(_stream, new ForwarderOptions { BatchMessages = batch });
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0 || forwarder.Completion.IsFaulted, "all are confirmed");
        Assert.False(forwarder.Completion.IsFaulted, $"{forwarder.Completion.Exception}");
    }

    private async Task ReceiveAllAsync(MessageQueue destination, int count, FakeStream? stream = null)
    {
        await using var receiver = destination.ReceiveFrom(stream ?? _stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received == count || receiver.Completion.IsFaulted, $"{count} messages, and not {receiver.GetStatistics().Received}");
    }

    // The stream as it was earlier.
    private FakeStream FirstRuns(int runs)
    {
        var earlier = new FakeStream();
        foreach (var entry in _stream.Entries.Take(runs + 1))
        {
            earlier.Append(entry.Header, entry.Body);
        }

        return earlier;
    }

    private async Task TruncateAfterTwentyAsync(MessageQueue source, MessageQueue destination)
    {
        Publish(source, 0, 20);
        await ForwardAllAsync(source);
        await using (var receiver = destination.ReceiveFrom(_stream, Eager))
        {
            await UntilAsync(() => receiver.GetStatistics().Received == 20, "20 messages");
        }

        Publish(source, 20, 80);
        await ForwardAllAsync(source);
        _stream.Truncate(8);
    }

    private MessageQueue OpenWithSmallSegments() => _directory.Open("source", new MessageQueueOptions
    {
        SegmentBytes = 64 * 1024,
        Retention = new QueueRetention { MaxBytes = 128 * 1024, KeepUnread = false },
    });

    private async Task DeleteUnforwardedAsync(MessageQueue source)
    {
        Publish(source, 0, 10);
        await ForwardAllAsync(source);
        Publish(source, 10, 10_000);
        source.ApplyRetention();
        Assert.True(source.GetStatistics().FirstPosition > 64 * 1024);
    }

    private struct Point
    {
        public int X;
        public int Y;
    }
}

/// <summary>A message with the name of a tick and other members.</summary>
[BufferedMessageSource]
public partial class OtherTick
{
    public string? Sequence { get; set; }
}
