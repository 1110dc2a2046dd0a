using BufferedMessages.Runtime.Tests.Segments;
using BufferedMessages.TestKit;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>What a flush waits for, and which calls report its failure.</summary>
public sealed class FlushOutcomeTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_flush_of_everything_does_not_wait_for_a_message_that_is_still_written()
    {
        using var queue = _directory.Open();
        using var writing = queue.OpenProducer();
        using var producer = queue.OpenProducer();
        var end = producer.Publish(Payload.Of(0)) + QueueDirectory.NumberRecord;
        using var claim = writing.Claim(sizeof(int));
        producer.Publish(Payload.Of(2));

        new Background(queue.Flush).Join();

        Assert.Equal((end, end), (queue.PublishedPosition, queue.DurablePosition));
        Payload.Of(1).CopyTo(claim.Span);
        claim.Commit(sizeof(int));
        queue.Flush();
        Assert.Equal(queue.PublishedPosition, queue.DurablePosition);
        Assert.Equal(end + (2 * QueueDirectory.NumberRecord), queue.DurablePosition);
    }

    [LinuxFact]
    public void A_background_flush_that_fails_is_reported_by_one_publish()
    {
        var heard = new HeardEvents();
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions
        {
            SegmentBytes = QueueDirectory.SmallSegment,
            Flush = FlushMode.Interval,
            FlushInterval = TimeSpan.FromHours(1),
            FlushMessages = 2,
            OnEvent = heard.Hear,
        });
        using var producer = queue.OpenProducer();
        var (published, reports) = (0, 0);
        using (new HiddenPath(_directory.SegmentFile(0)))
        {
            // The flush that the second message asks for may have failed before its publish returns, and is then reported by it.
            Publish();
            Publish();
            Assert.True(SpinWait.SpinUntil(() => heard.Of(QueueEventKind.FlushFailed).Count != 0, Generous));
        }

        // One flush has failed, and later ones succeed.
        Assert.True(SpinWait.SpinUntil(() => reports != 0 || Publish() != 0, Generous));
        var next = Payload.PublishNumbers(producer, published, 10)[0];
        Assert.True(SpinWait.SpinUntil(() => queue.DurablePosition > next, Generous));

        // Each message is published, even the one whose publish reported the failure.
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.Equal(Enumerable.Range(0, published + 10), Payload.ReadNumbers(consumer));
        Assert.Equal(1, reports);

        int Publish()
        {
            try
            {
                producer.Publish(Payload.Of(published++));
            }
            catch (FlushFailedException)
            {
                reports++;
            }

            return reports;
        }
    }
}
