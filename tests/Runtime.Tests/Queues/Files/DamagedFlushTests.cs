namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Flushes that meet a damaged record.</summary>
public sealed class DamagedFlushTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void Damage_that_keeps_a_published_message_from_the_disk_is_a_failed_flush_and_not_a_failed_publish(ProducerMode producers)
    {
        var heard = new HeardEvents();
        using var queue = MessageQueue.Open(
            _directory.Path, new MessageQueueOptions { Producers = producers, SegmentBytes = QueueDirectory.SmallSegment, Flush = FlushMode.EveryMessage, OnEvent = heard.Hear });
        using var producer = queue.OpenProducer();
        var first = producer.Publish(Payload.Of(0));
        QueueDirectory.Damage(_directory.SegmentFile(0), first, 0xFF);
        QueueDirectory.Damage(_directory.ControlFile, MachineCrash.DurablePositionOffset, new byte[sizeof(long)]);

        var exception = Assert.Throws<FlushFailedException>(() => producer.Publish(Payload.Of(1)));

        Assert.IsType<QueueCorruptedException>(exception.InnerException);
        Assert.Equal(QueueEventKind.FlushFailed, Assert.Single(heard.All).Kind);
        Assert.Equal(first + (2 * QueueDirectory.NumberRecord), queue.PublishedPosition);
    }
}
