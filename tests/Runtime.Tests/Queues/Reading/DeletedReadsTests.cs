namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Retention deletes messages of a consumer that has read on: those that it has read, and those that it has not.</summary>
public sealed class DeletedReadsTests : IDisposable
{
    private const long Segment = QueueDirectory.SmallSegment;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_commit_of_messages_that_were_read_does_not_hide_the_loss_of_those_that_were_not(bool isThrough)
    {
        using var queue = Open();
        using var producer = queue.OpenProducer();
        PublishSegments(producer, 2);
        using (var consumer = queue.OpenConsumer<RawMessage>("slow"))
        {
            Assert.True(consumer.TryRead(out _));
            Assert.True(consumer.TryRead(out var second));
            PublishSegments(producer, 4);

            if (isThrough)
            {
                consumer.CommitThrough(second.Position);
            }
            else
            {
                second.Commit();
            }

            Assert.Equal(2 * Segment, consumer.Position);
        }

        using var next = queue.OpenConsumer<RawMessage>("slow");
        var exception = Assert.Throws<MessagesDeletedException>(() => next.TryRead(out _));
        Assert.Equal((2 * Segment, 4 * Segment), (exception.Position, exception.FirstPosition));
    }

    private static void PublishSegments(MessageProducer producer, int count)
    {
        for (var segment = 0; segment < count; segment++)
        {
            producer.Publish(Payload.Of(segment, QueueDirectory.LargestPayload));
        }
    }

    private MessageQueue Open() => MessageQueue.Open(
        _directory.Path,
        new() { SegmentBytes = Segment, Retention = new() { HardLimitBytes = 2 * Segment, DropOldestAtHardLimit = true } });
}
