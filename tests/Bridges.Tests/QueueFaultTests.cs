using System.Globalization;
using BufferedMessages.Bridges.Tests.Hosting;
using BufferedMessages.Queues;
using BufferedMessages.TestKit;
using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Queues that are made anew, cut off, full, or lose messages by retention.</summary>
public sealed class QueueFaultTests : BridgeFixture
{
    [Fact]
    public async Task A_source_that_is_made_anew_begins_a_chain_of_its_own()
    {
        using var destination = Directories.Open("destination");
        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        for (var round = 0; round < 3; round++)
        {
            using (var source = Directories.Open("source"))
            {
                Publish(source, round * 20, 20);
                await ForwardAllAsync(source);
            }

            Directory.Delete(Directories.PathOf("source"), recursive: true);
        }

        await UntilAsync(() => receiver.GetStatistics().Received == 60, "60 messages");
        Assert.Equal(Sequence(0, 60), Sequences(destination));
    }

    [Fact]
    public async Task Messages_at_positions_that_a_crash_cut_off_are_new_messages()
    {
        using var destination = Directories.Open("destination");
        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        long cut;
        using (var source = Directories.Open("source"))
        {
            Publish(source, 0, 50);
            cut = source.PublishedPosition;
            Publish(source, 50, 30);
            await ForwardAllAsync(source);
        }

        await UntilAsync(() => receiver.GetStatistics().Received == 80, "80 messages");
        Crashes.CutTail(Directories.PathOf("source"), cut);
        using (var source = Directories.Open("source"))
        {
            Assert.Equal(2, source.Epoch);
            Publish(source, 1000, 10);
            await ForwardAllAsync(source);
        }

        await UntilAsync(() => receiver.GetStatistics().Received == 90, "the new messages");
        Assert.Equal([.. Sequence(0, 80), .. Sequence(1000, 10)], Sequences(destination));
    }

    [Fact]
    public async Task A_crash_that_cut_off_every_message_does_not_stop_the_chain()
    {
        using var destination = Directories.Open("destination");
        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        using (var source = Directories.Open("source"))
        {
            Publish(source, 0, 80);
            await ForwardAllAsync(source);
        }

        await UntilAsync(() => receiver.GetStatistics().Received == 80, "80 messages");
        Crashes.CutTail(Directories.PathOf("source"), 0);
        using (var source = Directories.Open("source"))
        {
            Publish(source, 1000, 10);
            await ForwardAllAsync(source);
        }

        await UntilAsync(() => receiver.GetStatistics().Received == 90, "the new messages");
        Assert.Equal([.. Sequence(0, 80), .. Sequence(1000, 10)], Sequences(destination));
    }

    [Fact]
    public async Task Messages_that_a_crash_cut_off_the_destination_come_again()
    {
        using var source = Directories.Open("source");
        Publish(source, 0, 100);
        await ForwardAllAsync(source);

        // The messages after the journal's were not on the disk.
        var cut = await ReceiveWithoutTheLastJournalAsync();
        Crashes.CutTail(Directories.PathOf("destination"), cut);
        using (var destination = Directories.Open("destination"))
        {
            await ReceiveAllAsync(destination, 40);
            Assert.Equal(Sequence(0, 100), Sequences(destination));
        }
    }

    [Fact]
    public async Task A_receiver_that_died_after_its_journal_knows_the_messages_since_then()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
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
    public async Task A_receiver_knows_the_messages_after_a_record_that_another_producer_still_writes()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination", new MessageQueueOptions { Mode = QueueMode.Bounded });
        Publish(source, 0, 100);
        await ForwardAllAsync(source);
        await ReceiveAllAsync(destination, 30, FirstRuns(3));
        var journal = File.ReadAllBytes(JournalPath);
        using var producer = destination.OpenCopyProducer(destination.Content!, verify: false);
        using var isHeld = new ManualResetEventSlim();
        using var isOver = new ManualResetEventSlim();
        var writing = Task.Run(() => HoldRecord(producer, isHeld, isOver));
        await UntilAsync(() => isHeld.IsSet || writing.IsCompleted, "a record that is being written");
        await ReceiveAllAsync(destination, 70);

        // The receiver was killed before its next journal.
        File.WriteAllBytes(JournalPath, journal);
        Publish(source, 100, 10);
        await ForwardAllAsync(source);
        await ReceiveAllAsync(destination, 10);
        isOver.Set();
        await writing;
        Assert.Equal(Sequence(0, 110), Sequences(destination));
    }

    [Fact]
    public async Task The_first_journal_of_a_receiver_counts_the_messages_of_one_that_was_killed_only_when_they_are_on_the_disk()
    {
        using var source = Directories.Open("source");
        Publish(source, 0, 100);
        await ForwardAllAsync(source);

        // Nothing has flushed the messages of the second receiver.
        var durable = await ReceiveWithoutTheLastJournalAsync();
        Crashes.ForgetFlush(Directories.PathOf("destination"), durable);
        using (var destination = Directories.Open("destination"))
        {
            await using (var receiver = destination.ReceiveFrom(Stream, Eager))
            {
                await UntilAsync(() => receiver.GetStatistics().Offset == Stream.Entries[^1].Offset, "the end of the stream");
            }

            durable = destination.DurablePosition;
        }

        Crashes.CutTail(Directories.PathOf("destination"), durable);
        using (var destination = Directories.Open("destination"))
        {
            await using var receiver = destination.ReceiveFrom(Stream, Eager);
            await UntilAsync(() => receiver.GetStatistics().Offset == Stream.Entries[^1].Offset, "the end of the stream again");
            Assert.Equal(Sequence(0, 100), Sequences(destination));
        }
    }

    [Fact]
    public async Task A_destination_that_is_full_holds_up_the_receiver_until_there_is_room()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination", new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 64 * 1024, Slots = 2 });
        using var consumer = destination.OpenConsumer<TickBufferedMessage>("slow");
        Publish(source, 0, 5000);
        await using var forwarder = source.ForwardTo(Stream);
        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received > 500, "some messages");
        for (var i = 0; i < 5000; i++)
        {
            using var delivery = await consumer.ReadAsync();
            Assert.Equal(i, delivery.Message.Sequence);
            delivery.Commit();
        }
    }

    [Fact]
    public async Task A_receiver_that_cannot_go_on_after_the_entry_that_it_has_read_waits_longer_each_time()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 10);
        await ForwardAllAsync(source);
        await ReceiveAllAsync(destination, 10);

        // The damaged entry would go to the dead letters, whose folder cannot be made.
        await File.WriteAllTextAsync(Path.Combine(destination.Path, "dead"), "");
        Stream.Append(new byte[5], new byte[5]);
        using var log = new LogLines("BufferedMessages.Bridges");
        await using var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1), Logger = log });
        await UntilAsync(() => log.Of(2).Count >= 5, "five attempts");
        var delays = log.Of(2).Take(5).Select(static line => double.Parse(line.Text.Split(' ')[^2], CultureInfo.InvariantCulture)).ToList();
        Assert.Equal(delays.Order(), delays);
        Assert.True(delays[^1] >= 16, $"The last delay is {delays[^1]} ms.");
    }

    [Fact]
    public async Task A_receiver_that_could_not_open_its_queue_for_a_newer_schema_goes_on_with_the_older_one()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        using var source = Directories.Open("source");
        using var newer = Directories.Open("newer");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 30);
        await ForwardAllAsync(source);
        using (var producer = newer.OpenProducer<NewerTick>())
        {
            producer.Publish(new NewerTick { Sequence = 100 });
        }

        var ofNewer = new FakeStream();
        await ForwardAllAsync(newer, stream: ofNewer);
        var stream = FirstRuns(2);
        await using var receiver = destination.ReceiveFrom(stream, new ReceiverOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1), OnDeleted = DeletedMessages.Skip });
        await UntilAsync(() => receiver.GetStatistics().Received == 20, "the messages of two runs");

        // No producer can be opened without a lease. Before one can, the newer schema is gone.
        using (new HiddenPath(Path.GetDirectoryName(ControlMap.LeasePath(destination.Path, slot: 0))!))
        {
            stream.Append(ofNewer.Entries[0].Header, ofNewer.Entries[0].Body);
            await UntilAsync(() => receiver.GetStatistics().State == BridgeState.Retrying || receiver.Completion.IsCompleted, "an attempt that failed");
            stream.AppendAndTruncate([Stream.Entries[3]], deleted: 4);
        }

        await UntilAsync(() => receiver.GetStatistics().Received == 30 || receiver.Completion.IsCompleted, "the messages of the third run");
        Assert.False(receiver.Completion.IsCompleted, $"{receiver.Completion.Exception}");
        Assert.Equal(Sequence(0, 30), Sequences(destination));
    }

    [Fact]
    public async Task A_forwarder_whose_messages_were_deleted_stops()
    {
        using var source = OpenWithSmallSegments();
        await DeleteUnforwardedAsync(source);
        using var log = new LogLines("BufferedMessages.Bridges");
        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { Logger = log });
        await Assert.ThrowsAsync<MessagesDeletedException>(() => forwarder.Completion.WaitAsync(TimeSpan.FromSeconds(30)));

        // Messages are lost, so it does not say that none is.
        Assert.EndsWith("has stopped. When it is opened again, it continues where it stopped.", Assert.Single(log.Of(3)).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_forwarder_whose_messages_were_deleted_goes_on_at_the_first_that_is_left_on_request()
    {
        using var source = OpenWithSmallSegments();
        using var destination = Directories.Open("destination");
        await DeleteUnforwardedAsync(source);
        var left = Sequences(source);
        await using var forwarder = source.ForwardTo(Stream, new ForwarderOptions { OnDeleted = DeletedMessages.Skip });
        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received == left.Count + 10, "the messages that are left");
        Assert.Equal([.. Sequence(0, 10), .. left], Sequences(destination));
        Assert.Equal((1L, 1L), (forwarder.GetStatistics().Deletions, receiver.GetStatistics().Deletions));
    }

    [Fact]
    public async Task A_forwarder_that_cannot_skip_deleted_messages_now_tries_again()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        using var source = OpenWithSmallSegments();
        await DeleteUnforwardedAsync(source);
        var left = Sequences(source);
        var slow = new WatchedStream(Stream) { IsSlow = true };
        await using var forwarder = source.ForwardTo(slow, new ForwarderOptions { OnDeleted = DeletedMessages.Skip, FirstRetryDelay = TimeSpan.FromMilliseconds(1) });

        // No consumer can be opened without a lease.
        using (new HiddenPath(Path.GetDirectoryName(ControlMap.LeasePath(source.Path, slot: 0))!))
        {
            slow.Accept();
            await UntilAsync(() => forwarder.GetStatistics().State == BridgeState.Retrying || forwarder.Completion.IsCompleted, "an attempt that failed");
        }

        await UntilAsync(() => forwarder.GetStatistics().Confirmed == left.Count || forwarder.Completion.IsCompleted, "the messages that are left");
        Assert.False(forwarder.Completion.IsCompleted, $"{forwarder.Completion.Exception}");
        Assert.Equal(1, forwarder.GetStatistics().Deletions);
    }

    [Fact]
    public async Task A_deletion_that_a_forwarder_skipped_is_marked_after_a_restart_before_its_first_confirmation()
    {
        using var source = OpenWithSmallSegments();
        using var destination = Directories.Open("destination");
        await DeleteUnforwardedAsync(source);
        var left = Sequences(source);
        var skip = new ForwarderOptions { OnDeleted = DeletedMessages.Skip, FirstRetryDelay = TimeSpan.FromMilliseconds(1) };
        Stream.Fate = static _ => RunFate.Refused;
        await using (var forwarder = source.ForwardTo(Stream, skip))
        {
            await UntilAsync(() => forwarder.GetStatistics() is { Deletions: 1, Refused: > 0 }, "a refused run after the deletion");
        }

        Stream.Fate = null;
        await using var next = source.ForwardTo(Stream, skip);
        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        await UntilAsync(() => receiver.GetStatistics().Received == left.Count + 10, "the messages that are left");
        Assert.Equal([.. Sequence(0, 10), .. left], Sequences(destination));
        Assert.Equal(1, receiver.GetStatistics().Deletions);
    }

    [Fact]
    public async Task A_forwarder_at_the_start_of_a_segment_goes_on_when_the_segment_before_it_is_deleted()
    {
        using var source = Directories.Open("source", new MessageQueueOptions { SegmentBytes = 64 * 1024, Retention = new QueueRetention { DeleteRead = true } });
        using var destination = Directories.Open("destination");
        await using var receiver = destination.ReceiveFrom(Stream, Eager);
        using var producer = source.OpenProducer();

        // The second message does not fit into the first segment, so the forwarder's position is the start of the next one, and not the end of the first message.
        producer.Publish(new byte[40 * 1024]);
        await using (var forwarder = source.ForwardTo(Stream, new ForwarderOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1) }))
        {
            await UntilAsync(() => forwarder.GetStatistics().LagBytes == 0 && receiver.GetStatistics().Received == 1, "the first message");
            Stream.Fate = static _ => RunFate.Refused;
            producer.Publish(new byte[40 * 1024]);
            await UntilAsync(() => forwarder.GetStatistics().Refused > 0, "a refused run");
        }

        source.ApplyRetention();
        Assert.Equal(64 * 1024, source.GetStatistics().FirstPosition);
        Stream.Fate = null;
        await ForwardAllAsync(source);
        await UntilAsync(() => receiver.GetStatistics().Received == 2, "the second message");
    }

    private static void HoldRecord(MessageProducer producer, ManualResetEventSlim isHeld, ManualResetEventSlim isOver)
    {
        using var claim = producer.Claim(100);
        isHeld.Set();
        isOver.Wait();
    }

    private MessageQueue OpenWithSmallSegments() => Directories.Open("source", new MessageQueueOptions
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

    // Two receivers, the second of which is killed before its journal. Returns the end of the first one's messages.
    private async Task<long> ReceiveWithoutTheLastJournalAsync()
    {
        long end;
        using (var destination = Directories.Open("destination"))
        {
            await ReceiveAllAsync(destination, 60, FirstRuns(6));
            end = destination.PublishedPosition;
        }

        var journal = File.ReadAllBytes(JournalPath);
        using (var destination = Directories.Open("destination"))
        {
            await ReceiveAllAsync(destination, 40);
        }

        File.WriteAllBytes(JournalPath, journal);
        return end;
    }
}
