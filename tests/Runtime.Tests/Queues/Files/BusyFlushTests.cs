using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class BusyFlushTests : IDisposable
{
    private const int Enough = 10;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void A_flush_of_everything_ends_although_a_message_comes_during_each_flush(ProducerMode producers)
    {
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { Producers = producers, SegmentBytes = QueueDirectory.SmallSegment });
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(0));
        var handle = QueueHandle.Open(_directory.Path);
        var published = 0;
        var segments = new BusySegments(handle.Segments, () =>
        {
            Interlocked.Increment(ref handle.Control.Header.FlushFailures);
            producer.Publish(Payload.Of(++published));
            Assert.True(published < Enough);
        });

        Interlocked.Increment(ref handle.Control.Header.FlushFailures);
        using (var flusher = new Flusher(segments))
        {
            Assert.True(flusher.TryFlushThrough(long.MaxValue, new LivenessProbe(handle.Control)));
        }

        Assert.Equal(1, published);
        Assert.Equal(QueueDirectory.FirstRecord + QueueDirectory.NumberRecord, queue.DurablePosition);
        handle.Release();
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 1)]
    [InlineData(int.MaxValue, 1)]
    [InlineData(int.MaxValue, 1_000)]
    public void A_flush_is_asked_for_when_there_are_enough_messages_however_many_these_are(int enough, int published)
    {
        MessageQueue.Open(
            _directory.Path,
            new MessageQueueOptions { SegmentBytes = QueueDirectory.SmallSegment, Flush = FlushMode.Interval, FlushInterval = TimeSpan.FromHours(1), FlushMessages = enough }).Dispose();
        var handle = QueueHandle.Open(_directory.Path);
        var flusher = handle.IntervalFlusher!;
        var unflushed = enough - 1;

        flusher.Count(ref unflushed, published);

        // The next messages are counted anew.
        Assert.Equal(0, unflushed);
        flusher.Count(ref unflushed, enough - 1);
        Assert.Equal(enough - 1, unflushed);
        handle.Release();
    }

    /// <summary>The segments of a queue. They call back within each flush: after a flush of another process has failed, the flusher asks how many there are.</summary>
    private sealed class BusySegments(SegmentStore segments, Action callBack) : SegmentStore(segments.Control, segments.Events)
    {
        public override long First => segments.First;

        public override long Count
        {
            get
            {
                callBack();
                return segments.Count;
            }
        }

        public override string PathOf(long position) => segments.PathOf(position);

        public override bool IsOpen(long segment) => segments.IsOpen(segment);

        public override Segment Map(long segment) => segments.Map(segment);

        public override bool TryOpen(long segment, SegmentOpener opener) => segments.TryOpen(segment, opener);

        public override bool TryHold(long segment, Action action) => segments.TryHold(segment, action);

        public override void NoteLoss() => segments.NoteLoss();

        public override void Dispose()
        {
        }
    }
}
