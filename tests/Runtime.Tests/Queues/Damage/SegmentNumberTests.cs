namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>An impossible number of segments, or of the first one, in the control file of an open queue.</summary>
public sealed class SegmentNumberTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(16)]
    [InlineData(long.MaxValue)]
    public async Task A_first_segment_after_the_newest_ends_each_use(long first)
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 2 * QueueDirectory.NumbersInSegment);
        QueueDirectory.Damage(_directory.ControlFile, QueueFormat.ControlFirstSegmentOffset, BitConverter.GetBytes(first));

        foreach (var use in new Action[] { () => producer.Publish(Payload.Of(0)), () => queue.OpenConsumer<RawMessage>("risk"), () => queue.GetStatistics() })
        {
            await Assert.ThrowsAsync<QueueCorruptedException>(() => Task.Run(use).WaitAsync(TimeSpan.FromSeconds(60)));
        }
    }

    [Theory]
    [InlineData(3, false)]
    [InlineData(1L << 40, false)]
    [InlineData(1L << 40, true)]
    public async Task Retention_deletes_nothing_by_a_number_of_segments_that_cannot_be(long count, bool isByAge)
    {
        var retention = new QueueRetention
        {
            MaxBytes = isByAge ? null : 2 * QueueDirectory.SmallSegment,
            MaxAge = isByAge ? TimeSpan.FromDays(1) : null,
            KeepUnread = false,
        };
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { SegmentBytes = QueueDirectory.SmallSegment, Retention = retention });
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, 2 * QueueDirectory.NumbersInSegment);
        }

        QueueDirectory.Damage(_directory.ControlFile, QueueFormat.ControlOpenSegmentsOffset, BitConverter.GetBytes(count));

        await Assert.ThrowsAsync<QueueCorruptedException>(() => Task.Run(queue.ApplyRetention).WaitAsync(TimeSpan.FromSeconds(60)));

        Assert.True(File.Exists(_directory.SegmentFile(0)));
        Assert.True(File.Exists(_directory.SegmentFile(QueueDirectory.SmallSegment)));
    }
}
