using BufferedMessages.CrossProcess.Writes;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess;

/// <summary>A timeout is longer than a semaphore can wait. That is 24.8 days, and a millisecond here.</summary>
public sealed class LongWaitTests : IDisposable
{
    private static readonly TimeSpan Long = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan ManyWaits = TimeSpan.FromMilliseconds(200);

    private readonly QueueDirectory _directory = new();

    public LongWaitTests() => FaultPoints.LongestWait = TimeSpan.FromMilliseconds(1);

    public void Dispose()
    {
        FaultPoints.LongestWait = null;
        _directory.Dispose();
    }

    [Fact]
    public async Task A_publisher_goes_on_waiting_for_a_producer()
    {
        using var queue = MessageQueue.Open(
            _directory.Queue, new MessageQueueOptions { Mode = QueueMode.Bounded, Producers = ProducerMode.Single, SegmentBytes = Parts.SegmentBytes, Slots = 2 });
        using var publisher = queue.OpenPublisher<Parcel>();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var parcel = new Parcel { Weight = 1 };
        while (publisher.TryPublish(parcel, out _))
        {
        }

        // The first has the only producer while it waits for room. The others wait for that producer.
        var first = publisher.PublishAsync(parcel, Long).AsTask();
        var second = publisher.PublishAsync(parcel, Long).AsTask();
        var third = Task.Run(() => publisher.TryPublish(parcel, out _, Long));
        await Task.WhenAny(second, third, Task.Delay(ManyWaits));
        Assert.False(second.IsCompleted || third.IsCompleted);
        while (consumer.TryRead(out var delivery))
        {
            delivery.Commit();
        }

        Assert.True(await first > 0);
        Assert.True(await second > 0);
        Assert.True(await third);
    }

    [Fact]
    public async Task A_publish_that_has_waited_for_a_producer_goes_on_waiting_for_room()
    {
        using var queue = MessageQueue.Open(
            _directory.Queue, new MessageQueueOptions { Mode = QueueMode.Bounded, Producers = ProducerMode.Single, SegmentBytes = Parts.SegmentBytes, Slots = 2 });
        using var publisher = queue.OpenPublisher<Parcel>();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var stop = new CancellationTokenSource();
        var parcel = new Parcel { Weight = 1 };
        while (publisher.TryPublish(parcel, out _))
        {
        }

        var first = publisher.PublishAsync(parcel, Long, properties: null, stop.Token).AsTask();
        var second = publisher.PublishAsync(parcel, Long).AsTask();
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first);
        await Task.WhenAny(second, Task.Delay(ManyWaits));
        Assert.False(second.IsCompleted);
        while (consumer.TryRead(out var delivery))
        {
            delivery.Commit();
        }

        Assert.True(await second > 0);
    }

    [UnixFact]
    public async Task A_wait_for_the_disk_goes_on_while_another_flush_does()
    {
        using var queue = Parts.Open(_directory.Queue);
        using (var dead = Peer.Start(nameof(Parts.HoldClaim), _directory.Queue))
        {
            Assert.Equal("ready", dead.Hear());
        }

        // The flush that finds the death holds up the others until it may go on.
        using var found = new ManualResetEventSlim();
        using var mayGoOn = new ManualResetEventSlim();
        FaultPoints.Reached = point =>
        {
            if (point == FaultPoint.DeathFound)
            {
                found.Set();
                mayGoOn.Wait(Long);
            }
        };
        try
        {
            var flush = Task.Run(() => queue.WaitForDurable(long.MaxValue, Long));
            Assert.True(found.Wait(Long));
            var second = Task.Run(() => queue.WaitForDurable(long.MaxValue, Long));
            var third = queue.WaitForDurableAsync(long.MaxValue, Long).AsTask();
            await Task.WhenAny(second, third, Task.Delay(ManyWaits));
            Assert.False(second.IsCompleted || third.IsCompleted);
            mayGoOn.Set();

            Assert.True(await flush);
            Assert.True(await second);
            Assert.True(await third);
        }
        finally
        {
            FaultPoints.Reached = null;
            mayGoOn.Set();
        }
    }
}
