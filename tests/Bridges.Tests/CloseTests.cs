using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Bridges that are closed in the middle of a step.</summary>
public sealed class CloseTests : BridgeFixture
{
    [Fact]
    public async Task A_connection_that_fails_while_a_bridge_is_closed_is_not_an_exception_that_stopped_it()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        var held = new HeldStream();
        var forwarder = source.ForwardTo(held);
        var receiver = destination.ReceiveFrom(held);
        await UntilAsync(() => held.Connections == 2, "two connections");
        var closing = Task.WhenAll(forwarder.DisposeAsync().AsTask(), receiver.DisposeAsync().AsTask());
        held.Fail();
        await closing;

        await forwarder.Completion;
        await receiver.Completion;
        Assert.Equal((BridgeState.Stopped, null), (forwarder.GetStatistics().State, forwarder.GetStatistics().Failure));
        Assert.Equal((BridgeState.Stopped, null), (receiver.GetStatistics().State, receiver.GetStatistics().Failure));
    }

    [Fact]
    public async Task A_bridge_has_ended_when_its_disposal_throws_the_exception_of_a_callback()
    {
        using var source = Directories.Open("source");
        var held = new HeldStream();
        var stopping = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        held.Stopping = () =>
        {
            stopping.SetResult();
            throw new FormatException("A callback fails.");
        };
        var forwarder = source.ForwardTo(held);
        await UntilAsync(() => held.Connections == 1, "a connection");

        var closing = forwarder.DisposeAsync().AsTask();
        await stopping.Task;
        Assert.False(SpinWait.SpinUntil(() => closing.IsCompleted, TimeSpan.FromMilliseconds(250)));
        held.Fail();

        Assert.IsType<FormatException>((await Assert.ThrowsAsync<AggregateException>(() => closing)).InnerException);
        Assert.True(forwarder.Completion.IsCompletedSuccessfully);
    }

    [Fact]
    public async Task A_receiver_that_cannot_write_its_last_journal_is_closed_and_says_so()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 10);
        await ForwardAllAsync(source);
        Directory.CreateDirectory(JournalPath + ".creating");
        using var log = new LogLines("BufferedMessages.Bridges");
        var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1), Logger = log });
        await UntilAsync(() => log.Of(2).Count != 0, "a failure");
        await receiver.DisposeAsync();

        await receiver.Completion;
        Assert.Equal((BridgeState.Stopped, null), (receiver.GetStatistics().State, receiver.GetStatistics().Failure));
        Assert.Contains("or at the Start of its options if there is none", Assert.Single(log.Of(10)).Text, StringComparison.Ordinal);
        Assert.Empty(log.Of(3));
    }

    // The stream in memory never looks at the token of a call that need not wait.
    [Fact]
    public async Task A_forwarder_is_closed_before_the_end_of_its_queue_although_no_call_waits()
    {
        using var source = Directories.Open("source");
        Publish(source, 0, 100);
        Stream.Break();
        var forwarder = source.ForwardTo(Stream, new ForwarderOptions { BatchMessages = 10, FirstRetryDelay = TimeSpan.FromMilliseconds(1), MaxRetryDelay = TimeSpan.FromMilliseconds(5) });
        var closing = Task.CompletedTask;
        Stream.Fate = number =>
        {
            closing = number == 3 ? forwarder.DisposeAsync().AsTask() : closing;
            return RunFate.Stored;
        };
        Stream.Repair();
        await forwarder.Completion.WaitAsync(TimeSpan.FromSeconds(30));
        await closing;

        // The schema and three of ten runs.
        Assert.Equal(4, Stream.Sent);
        Assert.Equal((30L, 0), (forwarder.GetStatistics().Confirmed, forwarder.GetStatistics().InFlightRuns));
    }

    [Fact]
    public async Task A_receiver_is_closed_before_the_end_of_its_stream_although_no_call_waits()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 100);
        await ForwardAllAsync(source);
        Stream.Break();
        var telling = new TellingStream(Stream);
        var receiver = destination.ReceiveFrom(telling, new ReceiverOptions { FirstRetryDelay = TimeSpan.FromMilliseconds(1), MaxRetryDelay = TimeSpan.FromMilliseconds(5) });
        var closing = Task.CompletedTask;
        telling.Reading = offset => closing = offset.Major == 3 ? receiver.DisposeAsync().AsTask() : closing;
        Stream.Repair();
        await receiver.Completion.WaitAsync(TimeSpan.FromSeconds(30));
        await closing;

        Assert.Equal(Stream.Entries[3].Offset, receiver.GetStatistics().Offset);
        Assert.Equal(Sequence(0, 30), Sequences(destination));
    }

    // Another receiver would begin at the end of the stream again.
    [Fact]
    public async Task A_receiver_that_began_at_the_end_and_is_closed_in_its_first_run_is_followed_by_one_that_goes_on_there()
    {
        const int largeBytes = 40 * 1024;
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination", new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 64 * 1024, Slots = 2 });
        using var consumer = destination.OpenConsumer<RawMessage>("slow");
        using (var producer = source.OpenProducer())
        {
            producer.Publish(new byte[10]);
            producer.Publish(new byte[largeBytes]);
        }

        await ForwardAllAsync(source);

        // There is room for the small message, and none for the large one.
        using (var producer = destination.OpenProducer())
        {
            producer.Publish(new byte[largeBytes]);
            producer.Publish(new byte[largeBytes]);
        }

        var stream = FirstRuns(0);
        var latest = new ReceiverOptions { Start = StreamStart.Latest, FirstRetryDelay = TimeSpan.FromMilliseconds(1) };
        await using (var receiver = destination.ReceiveFrom(stream, latest))
        {
            await UntilAsync(() => receiver.GetStatistics().State == BridgeState.Connected, "the connection");
            stream.AppendAll(Stream.Entries[1]);
            await UntilAsync(() => receiver.GetStatistics().Received == 1, "the small message");
        }

        while (consumer.TryRead(out var delivery))
        {
            delivery.Commit();
        }

        await ReceiveAllAsync(destination, 1, latest, stream);
        Assert.True(consumer.TryRead(out var large));
        Assert.Equal(largeBytes, large.Message.Bytes.Length);
        large.Commit();
    }

    [Fact]
    public async Task A_receiver_that_began_at_the_end_writes_its_journal_before_its_first_run_also_if_that_failed_at_first()
    {
        const int largeBytes = 40 * 1024;
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination", new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 64 * 1024, Slots = 2 });
        using var consumer = destination.OpenConsumer<RawMessage>("slow");
        using (var producer = source.OpenProducer())
        {
            producer.Publish(new byte[largeBytes]);
        }

        await ForwardAllAsync(source);
        using (var producer = destination.OpenProducer())
        {
            producer.Publish(new byte[largeBytes]);
            producer.Publish(new byte[largeBytes]);
        }

        var stream = FirstRuns(0);
        Directory.CreateDirectory(JournalPath + ".creating");
        using var log = new LogLines("BufferedMessages.Bridges");
        await using var receiver = destination.ReceiveFrom(stream, new ReceiverOptions { Start = StreamStart.Latest, FirstRetryDelay = TimeSpan.FromMilliseconds(1), Logger = log });
        await UntilAsync(() => receiver.GetStatistics().State == BridgeState.Connected, "the connection");
        stream.AppendAll(Stream.Entries[1]);
        await UntilAsync(() => log.Of(2).Count != 0, "a failure");
        Directory.Delete(JournalPath + ".creating");

        // The destination is full, so the run waits.
        await UntilAsync(() => File.Exists(JournalPath), "the journal");
        Assert.Equal(0, receiver.GetStatistics().Received);
    }

    [Fact]
    public async Task A_forwarder_that_is_closed_waits_for_each_run_in_flight_and_commits_it()
    {
        using var source = Directories.Open("source");
        var late = new LateStream();
        var forwarder = await ForwardTenAsync(source, late);

        // The stop ends the wait that is open. Another one follows, and after the schema's confirmation one more.
        var closing = forwarder.DisposeAsync().AsTask();
        await UntilAsync(() => late.Waits == 2, "the wait for both");
        late.Confirm(1);
        await UntilAsync(() => late.Waits == 3, "the wait for the run");
        Assert.False(closing.IsCompleted);
        late.Confirm(2);
        await closing;

        Assert.True(forwarder.Completion.IsCompletedSuccessfully);
        Assert.Equal((10L, 0, 0L), (forwarder.GetStatistics().Confirmed, forwarder.GetStatistics().InFlightRuns, forwarder.GetStatistics().LagBytes));
        await using var next = source.ForwardTo(Stream, new ForwarderOptions { Name = late.Name });
        Assert.Equal(0, next.GetStatistics().LagBytes);
    }

    [Fact]
    public async Task A_forwarder_that_is_closed_leaves_a_run_whose_connection_is_lost_to_the_next_one()
    {
        using var source = Directories.Open("source");
        var late = new LateStream();
        var forwarder = await ForwardTenAsync(source, late);
        var closing = forwarder.DisposeAsync().AsTask();
        await UntilAsync(() => late.Waits == 2, "the wait for both");
        late.Fail();
        await closing;

        Assert.True(forwarder.Completion.IsCompletedSuccessfully);
        Assert.Equal((BridgeState.Stopped, null, 0L), (forwarder.GetStatistics().State, forwarder.GetStatistics().Failure, forwarder.GetStatistics().Confirmed));
        await using var next = source.ForwardTo(Stream, new ForwarderOptions { Name = late.Name });
        await UntilAsync(() => next.GetStatistics().LagBytes == 0, "the run again");
        Assert.Equal(10, Assert.Single(Stream.Runs).Count);
    }

    [Fact]
    public async Task A_forwarder_that_is_closed_does_not_wait_for_a_run_that_it_could_not_send()
    {
        using var source = Directories.Open("source");
        Publish(source, 0, 10);
        var busy = new BusyStream();
        await using (source.ForwardTo(busy))
        {
            await UntilAsync(() => busy.Runs == 2, "the schema and a run");
        }

        Assert.Equal(0, busy.Waits);
    }

    [Fact]
    public async Task A_bridge_is_closed_although_another_producer_of_its_dead_letters_does_not_finish_its_record()
    {
        using var source = Directories.Open("source");
        using var dead = Directories.Open(Path.Combine("source", "dead", "bridge.orders"));
        using var other = dead.OpenProducer();
        using (var producer = source.OpenProducer())
        {
            producer.Publish(new byte[2000]);
        }

        using var isHeld = new ManualResetEventSlim();
        using var isOver = new ManualResetEventSlim();
        var writing = Task.Run(() => HoldRecord(other, isHeld, isOver));
        await UntilAsync(() => isHeld.IsSet || writing.IsCompleted, "a record that is being written");
        Stream.MaxBodyBytes = 1000;
        var forwarder = source.ForwardTo(Stream, new ForwarderOptions { OnTooLarge = OversizedMessages.DeadLetter });
        await UntilAsync(() => dead.GetStatistics().Producers.Any(static producer => producer.Messages == 1), "a dead letter after the unfinished record");
        try
        {
            await forwarder.DisposeAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(30));
        }
        finally
        {
            isOver.Set();
            await writing;
            await forwarder.DisposeAsync();
        }

        Assert.True(forwarder.Completion.IsCompletedSuccessfully);
        Assert.Equal((BridgeState.Stopped, null, 0L), (forwarder.GetStatistics().State, forwarder.GetStatistics().Failure, forwarder.GetStatistics().DeadLetters));

        // The next one stores it again, since its message was not committed.
        await using var next = source.ForwardTo(Stream, new ForwarderOptions { OnTooLarge = OversizedMessages.DeadLetter });
        await UntilAsync(() => next.GetStatistics() is { DeadLetters: 1, LagBytes: 0 }, "the dead letter");
    }

    // Forwards ten messages until the schema and their run are in flight.
    private static async Task<MessageForwarder> ForwardTenAsync(MessageQueue source, LateStream late)
    {
        Publish(source, 0, 10);
        var forwarder = source.ForwardTo(late);
        await UntilAsync(() => late is { Runs: 2, Waits: 1 }, "the schema and a run in flight");
        return forwarder;
    }

    private static void HoldRecord(MessageProducer producer, ManualResetEventSlim isHeld, ManualResetEventSlim isOver)
    {
        using var claim = producer.Claim(100);
        isHeld.Set();
        isOver.Wait();
    }
}
