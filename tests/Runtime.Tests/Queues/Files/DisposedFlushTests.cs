namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Flushes of a producer that is disposed.</summary>
public sealed class DisposedFlushTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_producer_that_is_disposed_while_it_waits_for_an_earlier_message_tells_that_its_own_is_published()
    {
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { SegmentBytes = QueueDirectory.SmallSegment, Flush = FlushMode.EveryMessage });
        using var first = queue.OpenProducer();
        var second = queue.OpenProducer();
        using var claim = first.Claim(sizeof(int));
        Payload.Of(0).CopyTo(claim.Span);
        var publishing = new Background(() =>
        {
            var exception = Assert.Throws<FlushFailedException>(() => second.Publish(Payload.Of(1)));
            Assert.IsType<ObjectDisposedException>(exception.InnerException);
        });
        Assert.True(SpinWait.SpinUntil(() => queue.GetStatistics().Producers.Sum(static producer => producer.Messages) == 1, Generous));

        second.Dispose();
        publishing.Join();

        claim.Commit(sizeof(int));
        Assert.Equal(1, Assert.Single(queue.GetStatistics().Producers).Messages);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.Equal([0, 1], Payload.ReadNumbers(consumer));
        Assert.Equal(queue.PublishedPosition, queue.DurablePosition);
    }
}
