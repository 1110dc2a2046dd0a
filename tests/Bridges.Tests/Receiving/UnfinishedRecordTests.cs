using static BufferedMessages.Bridges.Tests.BridgeDirectory;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Receivers whose destination has another producer, which does not finish its record: the messages after it cannot be flushed, and the journal must not count them.</summary>
public sealed class UnfinishedRecordTests : BridgeFixture
{
    // Without the journal, a receiver that is killed would be followed by one that begins at the end that the stream has then.
    [Fact]
    public async Task A_receiver_that_began_at_the_end_publishes_nothing_before_its_first_journal()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 10);
        await ForwardAllAsync(source);
        await using var record = await UnfinishedRecord.BeginAsync(destination, source.Content!);
        Publish(destination, 100, 1);
        var stream = FirstRuns(0);
        await using var receiver = destination.ReceiveFrom(stream, new ReceiverOptions { Start = StreamStart.Latest });
        await UntilAsync(() => receiver.GetStatistics().State == BridgeState.Connected, "the connection");
        stream.AppendAll(Stream.Entries[1]);

        await UntilAsync(
            () => receiver.GetStatistics() is { Received: > 0 } or { State: BridgeState.Retrying, Failure: IOException }, "a failure");
        Assert.Equal(0, receiver.GetStatistics().Received);
        Assert.False(File.Exists(JournalPath));

        await record.DisposeAsync();
        await UntilAsync(() => receiver.GetStatistics().Received == 10, "10 messages");
        Assert.True(File.Exists(JournalPath));
        Assert.Equal([100, .. Sequence(0, 10)], Sequences(destination));
    }

    [Fact]
    public async Task A_receiver_that_is_closed_says_that_its_last_journal_is_not_written()
    {
        using var source = Directories.Open("source");
        using var destination = Directories.Open("destination");
        Publish(source, 0, 10);
        await ForwardAllAsync(source);
        await using var record = await UnfinishedRecord.BeginAsync(destination, source.Content!);

        // The first journal counts it, and therefore waits for the record.
        Publish(destination, 100, 1);
        using var log = new LogLines("BufferedMessages.Bridges");
        var receiver = destination.ReceiveFrom(Stream, new ReceiverOptions { Logger = log });
        await UntilAsync(() => receiver.GetStatistics().Received == 10, "10 messages");
        await receiver.DisposeAsync();

        Assert.False(File.Exists(JournalPath));
        Assert.Single(log.Of(10));
        Assert.Equal((BridgeState.Stopped, null), (receiver.GetStatistics().State, receiver.GetStatistics().Failure));
    }

    /// <summary>A record that its producer does not finish until this is disposed.</summary>
    private sealed class UnfinishedRecord : IAsyncDisposable
    {
        private readonly MessageProducer _producer;
        private readonly ManualResetEventSlim _isHeld = new();
        private readonly ManualResetEventSlim _isOver = new();
        private readonly Task _writing;
        private bool _isDisposed;

        private UnfinishedRecord(MessageProducer producer)
        {
            _producer = producer;
            _writing = Task.Run(Hold);
        }

        public static async Task<UnfinishedRecord> BeginAsync(MessageQueue queue, QueueContent content)
        {
            var record = new UnfinishedRecord(queue.OpenCopyProducer(content, verify: false));
            await UntilAsync(() => record._isHeld.IsSet || record._writing.IsCompleted, "a record that is being written");
            return record;
        }

        public async ValueTask DisposeAsync()
        {
            if (_isDisposed)
            {
                return;
            }

            _isDisposed = true;
            _isOver.Set();
            await _writing;
            _producer.Dispose();
            _isHeld.Dispose();
            _isOver.Dispose();
        }

        private void Hold()
        {
            using var claim = _producer.Claim(100);
            _isHeld.Set();
            _isOver.Wait();
        }
    }
}
