using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Schemas, kinds of content, and messages that are too large, damaged or hostile.</summary>
public sealed class ContentTests : BridgeFixture
{
    [Fact]
    public async Task A_contradiction_of_schemas_stops_the_receiver_with_both_lines()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        using (destination.OpenProducer<OtherTick>())
        {
        }

        Publish(source, 0, 10);
        await using var forwarder = source.ForwardTo(Stream);
        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        var stopped = await Assert.ThrowsAsync<SchemaMismatchException>(() => receiver.Completion.WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.NotEqual(stopped.Line, stopped.OtherLine);
    }

    [Fact]
    public async Task Queues_of_raw_bytes_and_of_values_are_bridged_too()
    {
        using var raw = Directories.Open("raw");
        using var rawCopy = Directories.Open("raw-copy");
        using (var producer = raw.OpenProducer())
        {
            producer.Publish([]);
            producer.Publish([1, 2, 3]);
        }

        await using var forwarder = raw.ForwardTo(Stream);
        await using var receiver = rawCopy.ReceiveFrom(Stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received == 2, "2 messages");
        using var reader = rawCopy.OpenReader<RawMessage>();
        Assert.True(reader.TryRead(out var empty) && empty.Message.Bytes.Length == 0);
        Assert.True(reader.TryRead(out var three) && three.Message.Bytes.SequenceEqual<byte>([1, 2, 3]));

        using var values = Directories.Open("values");
        using var valuesCopy = Directories.Open("values-copy");
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
        using var source = Directories.Open("source");
        Stream.MaxBodyBytes = 1000;
        using (var producer = source.OpenProducer())
        {
            producer.Publish(new byte[2000]);
        }

        await using var forwarder = source.ForwardTo(Stream);
        var stopped = await Assert.ThrowsAsync<MessageTooLargeException>(() => forwarder.Completion.WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.Equal((2000L, 1000L), (stopped.Size, stopped.Limit));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public async Task A_message_that_is_too_large_goes_to_the_dead_letters_on_request(int batch)
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Stream.MaxBodyBytes = 1000;
        using (var producer = source.OpenProducer())
        {
            for (var i = 0; i < 20; i++)
            {
                producer.Publish(new byte[i % 7 == 3 ? 2000 : i]);
            }
        }

        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { BatchMessages = batch, OnTooLarge = OversizedMessages.DeadLetter });
        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received == 17 && forwarder.GetStatistics().LagBytes == 0, "17 messages");
        Assert.Equal(3, forwarder.GetStatistics().DeadLetters);
        using var dead = MessageQueue.OpenExisting(Path.Combine(source.Path, "dead", "bridge.orders"));
        using var reader = dead.OpenReader<RawMessage>();
        Assert.True(reader.TryRead(out var letter));
        Assert.Equal(2000, letter.Message.Bytes.Length);
        Assert.Equal(source.Id, letter.Properties.Source!.Value.QueueId);
        Assert.Contains("2000 bytes", letter.Properties.Reason.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_message_that_is_too_large_is_one_dead_letter_although_its_run_is_refused_several_times()
    {
        using var source = Directories.Open("source");
        Stream.MaxBodyBytes = 1000;
        Stream.Fate = static _ => RunFate.Refused;
        using (var producer = source.OpenProducer())
        {
            producer.Publish(new byte[2000]);
            producer.Publish(new byte[3000]);
        }

        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { OnTooLarge = OversizedMessages.DeadLetter, FirstRetryDelay = TimeSpan.FromMilliseconds(1) });
        await UntilAsync(() => forwarder.GetStatistics().Refused >= 3, "three refused runs");
        Stream.Fate = null;
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0, "the commit");
        Assert.Equal(2, forwarder.GetStatistics().DeadLetters);
    }

    // Those of a handler have the content of the queue, and those of a bridge are bytes.
    [Fact]
    public async Task A_bridge_has_dead_letters_of_its_own_beside_those_of_a_handler_of_its_name()
    {
        using var source = Directories.Open("source");
        using var handled = Directories.Open(Path.Combine("source", "dead", "orders"));
        Publish(source, 0, 1);
        Publish(handled, 0, 1);
        Stream.MaxBodyBytes = 1;

        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { OnTooLarge = OversizedMessages.DeadLetter });
        await UntilAsync(() => forwarder.GetStatistics().DeadLetters == 1 || forwarder.Completion.IsFaulted, "the dead letter");
        Assert.False(forwarder.Completion.IsFaulted, $"{forwarder.Completion.Exception}");
        Assert.Equal([0], Sequences(handled));
    }

    [Fact]
    public async Task Dead_letters_whose_files_were_deleted_are_made_anew_with_the_next_one()
    {
        using var source = Directories.Open("source");
        using var producer = source.OpenProducer();
        Stream.MaxBodyBytes = 1000;
        producer.Publish(new byte[2000]);
        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { OnTooLarge = OversizedMessages.DeadLetter });
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0, "the first commit");
        Directory.Delete(Path.Combine(source.Path, "dead"), recursive: true);

        producer.Publish(new byte[3000]);

        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0 || forwarder.Completion.IsFaulted, "the second commit");
        Assert.Equal(2, forwarder.GetStatistics().DeadLetters);
        Assert.Equal(3000, ReadDeadLetter(source, out _));
    }

    [Fact]
    public async Task Dead_letters_of_a_forwarder_have_room_for_the_largest_message_of_the_source()
    {
        using var source = Directories.Open("source", new MessageQueueOptions { SegmentBytes = 128 * 1024 * 1024 });
        int largest;
        using (var producer = source.OpenProducer())
        {
            largest = producer.MaxMessageBytes;
            producer.Publish(new byte[largest]);
        }

        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { OnTooLarge = OversizedMessages.DeadLetter });
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0 || forwarder.Completion.IsFaulted, "the message is left out");
        Assert.Equal(largest, ReadDeadLetter(source, out var reason));
        Assert.Contains($"{largest} bytes", reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(FlushMode.None)]
    [InlineData(FlushMode.EveryMessage)]
    public async Task Dead_letters_are_on_the_disk_when_their_messages_are_committed(FlushMode flush)
    {
        using var source = Directories.Open("source", new MessageQueueOptions { Flush = flush });
        using var destination = Directories.Open("destination", new MessageQueueOptions { Flush = flush });
        Stream.MaxBodyBytes = 1000;
        using (var producer = source.OpenProducer())
        {
            producer.Publish(new byte[2000]);
            producer.Publish(new byte[10]);
        }

        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { OnTooLarge = OversizedMessages.DeadLetter });
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0, "the commit");
        AssertDeadLettersAreDurable(source);

        Stream.Append(new byte[10], "a damaged header"u8.ToArray());
        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Offset == Stream.Entries[^1].Offset, "the damaged entry");
        AssertDeadLettersAreDurable(destination);
    }

    [Fact]
    public async Task Dead_letters_of_a_receiver_have_room_for_the_largest_entry_of_the_stream()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 10);
        await ForwardAllAsync(source);
        var damaged = new FakeStream { MaxBodyBytes = 80 * 1024 * 1024 };
        damaged.Append(Stream.Entries[0].Header, Stream.Entries[0].Body);
        damaged.Append(Stream.Entries[1].Header, Enumerable.Repeat<byte>(0xFF, damaged.MaxBodyBytes).ToArray());
        await using var receiver = destination.ReceiveFrom(damaged, Eager);
        await UntilAsync(() => receiver.GetStatistics().DeadLetters == 1 || receiver.Completion.IsFaulted, "the dead letter");
        Assert.Equal(damaged.MaxBodyBytes, ReadDeadLetter(destination, out _));
    }

    [Fact]
    public async Task A_message_that_fills_a_segment_of_the_dead_letters_goes_there_with_its_source_alone()
    {
        using var source = Directories.Open("source");
        int bytes;
        using (var dead = Directories.Open(Path.Combine("source", "dead", "bridge.orders"), new MessageQueueOptions { SegmentBytes = 64 * 1024 }))
        using (var letters = dead.OpenProducer())
        using (var producer = source.OpenProducer())
        {
            bytes = letters.MaxMessageBytes - 64;
            producer.Publish(new byte[bytes]);
        }

        Stream.MaxBodyBytes = 1000;
        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { OnTooLarge = OversizedMessages.DeadLetter });
        await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0 || forwarder.Completion.IsFaulted, "the message is left out");
        Assert.Equal(bytes, ReadDeadLetter(source, out var reason));
        Assert.Empty(reason);
    }

    [Fact]
    public async Task Damaged_messages_go_to_the_dead_letters_and_the_chain_goes_on()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 30);
        await ForwardAllAsync(source, batch: 8);
        var damaged = new FakeStream();
        foreach (var entry in Stream.Entries)
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

    [Theory]
    [InlineData("0800FFFF", 65_536)] // A header of 65,535 bytes.
    [InlineData("01000800000000000000000001000800", 8)] // Two times.
    [InlineData("0400000001000800", 8)] // A correlation id before the time.
    [InlineData("01000400", 4)] // A time of 4 bytes.
    public async Task A_message_with_damaged_properties_goes_to_the_dead_letters_and_the_chain_goes_on(string first, int zeros)
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 20);
        await ForwardAllAsync(source);
        byte[] entries = [.. Convert.FromHexString(first), .. new byte[zeros]];
        var run = Stream.Runs[0];
        var offset = 0;
        Assert.True(RunRecord.TryRead(run, ref offset, out var record));
        using var builder = new RunBuilder(entries.Length);
        builder.Add(record.Position, run.End, record.Payload.Span, entries);
        var hostile = builder.Complete(run.QueueId, run.Start, run.Flags, run.Fingerprint);
        var stream = new FakeStream();
        stream.Append(Stream.Entries[0].Header, Stream.Entries[0].Body);
        stream.Append(hostile.Header, hostile.Body);
        stream.Append(Stream.Entries[2].Header, Stream.Entries[2].Body);

        await using var receiver = destination.ReceiveFrom(stream, Eager);
        await UntilAsync(() => receiver.GetStatistics() is { DeadLetters: 1, Received: >= 10, Offset.Major: 2 }, "one dead letter and the messages after it");
        Assert.Equal(10, receiver.GetStatistics().Received);
        Assert.Equal(Sequence(10, 10), Sequences(destination));
    }

    [Fact]
    public async Task A_damaged_entry_that_comes_once_more_after_a_new_connection_is_one_dead_letter()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 10);
        await ForwardAllAsync(source);
        Stream.Append(new byte[10], new byte[10]);
        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().DeadLetters == 1, "the dead letter");
        Stream.Reconnect();
        await UntilAsync(() => receiver.GetStatistics().Reconnects == 1, "another connection");
        Publish(source, 10, 10);
        await ForwardAllAsync(source);

        await UntilAsync(() => receiver.GetStatistics().Received == 20, "20 messages");
        Assert.Equal(1, receiver.GetStatistics().DeadLetters);
    }

    [Fact]
    public async Task A_damaged_entry_after_a_hole_that_stays_is_one_dead_letter()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 30);
        await ForwardAllAsync(source);
        var lacking = new FakeStream();
        lacking.AppendAll(Stream.Entries.Where(static entry => entry.Offset.Major != 2));

        lacking.Append(new byte[10], new byte[10]);
        await using var receiver = destination.ReceiveFrom(lacking, new ReceiverOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1), StreamTimeout = TimeSpan.FromMilliseconds(100) });
        await UntilAsync(() => receiver.GetStatistics() is { Holes: >= 4, DeadLetters: >= 1 }, "the hole is met several times");
        Assert.Equal(1, receiver.GetStatistics().DeadLetters);
    }

    [Fact]
    public async Task Hostile_runs_end_no_process_and_publish_nothing_that_is_not_a_message()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 40);
        await ForwardAllAsync(source);
        var random = new Random(4711);
        var hostile = new FakeStream();
        for (var i = 0; i < 3000; i++)
        {
            var entry = Stream.Entries[random.Next(Stream.Entries.Count)];
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

    private static void AssertDeadLettersAreDurable(MessageQueue queue)
    {
        using var dead = MessageQueue.OpenReadOnly(Path.Combine(queue.Path, "dead", "bridge.orders"));
        Assert.InRange(dead.PublishedPosition, 1, dead.DurablePosition);
    }

    private static int ReadDeadLetter(MessageQueue queue, out string reason)
    {
        using var dead = MessageQueue.OpenExisting(Path.Combine(queue.Path, "dead", "bridge.orders"));
        using var reader = dead.OpenReader<RawMessage>();
        Assert.True(reader.TryRead(out var letter));
        Assert.NotNull(letter.Properties.Source);
        reason = letter.Properties.Reason.ToString() ?? string.Empty;
        return letter.Message.Bytes.Length;
    }

    private struct Point
    {
        public int X;
        public int Y;
    }
}
