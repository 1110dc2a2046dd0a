namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>An impossible number of the first segment in the control file of an open queue.</summary>
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
}
