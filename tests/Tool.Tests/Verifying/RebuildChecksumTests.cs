using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Tool.Tests;

/// <summary>A control file that is made anew for segments of which one does not show whether the queue has checksums.</summary>
public sealed class RebuildChecksumTests : IDisposable
{
    private const int SizeAndChecksumOffset = 8;
    private const int ChecksumOffset = 12;
    private const int Messages = QueueDirectory.NumbersInSegment + 10;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task A_damaged_header_gives_no_checksums_to_a_queue_without_them()
    {
        Fill(FlushMode.None);
        QueueDirectory.Damage(_directory.SegmentFile(QueueDirectory.SmallSegment), ChecksumOffset, 1);

        Assert.Equal(FlushMode.None, await RebuildAsync());
    }

    [Fact]
    public async Task A_header_without_a_checksum_takes_none_from_a_queue_with_them()
    {
        Fill(FlushMode.Interval);
        QueueDirectory.Damage(_directory.SegmentFile(QueueDirectory.SmallSegment), SizeAndChecksumOffset, new byte[sizeof(long)]);

        Assert.Equal(FlushMode.Interval, await RebuildAsync());
    }

    private void Fill(FlushMode flush)
    {
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { SegmentBytes = QueueDirectory.SmallSegment, Flush = flush });
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, Messages);
    }

    // Requires all messages to be there.
    private async Task<FlushMode?> RebuildAsync()
    {
        var run = await ToolRun.InProcessAsync("repair", _directory.Path, "--rebuild-control", "--apply");
        Assert.True(run.Code == 0, run.Output + run.Errors);
        using var queue = MessageQueue.OpenExisting(_directory.Path);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.Equal(Enumerable.Range(0, Messages), Payload.ReadNumbers(consumer));
        return queue.GetOptions().Flush;
    }
}
