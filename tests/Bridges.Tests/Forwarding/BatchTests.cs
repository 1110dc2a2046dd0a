namespace BufferedMessages.Bridges.Tests;

/// <summary>How a forwarder divides messages into runs.</summary>
public sealed class BatchTests : BridgeFixture
{
    private const int MessageBytes = 100;

    // With its header, at a multiple of 16.
    private const int RecordBytes = 128;

    [Theory]
    [InlineData(1, 1)]
    [InlineData(RecordBytes, 1)]
    [InlineData(RecordBytes + 1, 2)]
    [InlineData(2 * RecordBytes, 2)]
    public async Task A_run_is_sent_when_it_has_the_bytes_of_a_batch(int batchBytes, int expected)
    {
        using var source = Directories.Open("source");
        PublishBytes(source, 12, MessageBytes);
        await ForwardAsync(source, new ForwarderOptions { BatchBytes = batchBytes });

        Assert.Equal(Enumerable.Repeat(expected, 12 / expected), Stream.Runs.Select(static run => run.Count));
    }

    [Theory]
    [InlineData(2 * RecordBytes, 2)]
    [InlineData((2 * RecordBytes) - 1, 1)]
    [InlineData(RecordBytes, 1)]
    public async Task A_run_has_at_most_the_bytes_that_the_stream_takes(int maxBodyBytes, int expected)
    {
        using var source = Directories.Open("source");
        Stream.MaxBodyBytes = maxBodyBytes;
        PublishBytes(source, 12, MessageBytes);
        await ForwardAsync(source, new ForwarderOptions());

        Assert.Equal(Enumerable.Repeat(expected, 12 / expected), Stream.Runs.Select(static run => run.Count));
    }

    [Theory]
    [InlineData(1, 1008, true)]
    [InlineData(1, 1009, false)]
    [InlineData(256, 992, true)]
    [InlineData(256, 993, false)]
    public async Task The_largest_message_fills_a_run_of_its_own(int batchMessages, int bytes, bool isSent)
    {
        using var source = Directories.Open("source");
        Stream.MaxBodyBytes = 1008;
        PublishBytes(source, 1, bytes);
        await ForwardAsync(source, new ForwarderOptions { BatchMessages = batchMessages, OnTooLarge = OversizedMessages.DeadLetter });

        // A run without messages tells that one was left out.
        Assert.Equal(isSent ? 1 : 0, Assert.Single(Stream.Runs).Count);
    }

    [Theory]
    [InlineData(FlushMode.None, null, false)]
    [InlineData(FlushMode.None, true, true)]
    [InlineData(FlushMode.Interval, null, true)]
    [InlineData(FlushMode.Interval, false, false)]
    public async Task Only_messages_on_the_disk_leave_the_machine_if_the_queue_is_flushed_or_the_option_says_so(FlushMode flush, bool? isDurableOnly, bool expected)
    {
        using var source = OpenFlushed(flush);
        using var producer = source.OpenProducer();
        Publish(producer, 10, MessageBytes);
        await ForwardAsync(source, new ForwarderOptions { DurableOnly = isDurableOnly });

        // The end of the producer would flush.
        Assert.Equal(expected, source.DurablePosition >= source.PublishedPosition);
    }

    [Fact]
    public async Task A_run_ends_before_the_first_message_that_is_not_on_the_disk()
    {
        using var source = OpenFlushed(FlushMode.Interval);
        using var producer = source.OpenProducer();
        Publish(producer, 5, MessageBytes);
        source.Flush();
        Publish(producer, 7, MessageBytes);
        await ForwardAsync(source, new ForwarderOptions());

        Assert.Equal([5, 7], Stream.Runs.Select(static run => run.Count));
    }

    private static void PublishBytes(MessageQueue queue, int count, int bytes)
    {
        using var producer = queue.OpenProducer();
        Publish(producer, count, bytes);
    }

    private static void Publish(MessageProducer producer, int count, int bytes)
    {
        for (var i = 0; i < count; i++)
        {
            producer.Publish(new byte[bytes]);
        }
    }

    private MessageQueue OpenFlushed(FlushMode flush) =>
        Directories.Open("source", new MessageQueueOptions { Flush = flush, FlushInterval = flush == FlushMode.Interval ? TimeSpan.FromHours(1) : null });

    private async Task ForwardAsync(MessageQueue source, ForwarderOptions options)
    {
        await using var forwarder = source.ForwardTo(Stream, options);
        await BridgeDirectory.UntilAsync(() => forwarder.GetStatistics().LagBytes == 0 || forwarder.Completion.IsCompleted, "all are confirmed");
        Assert.False(forwarder.Completion.IsCompleted, $"{forwarder.Completion.Exception}");
    }
}
