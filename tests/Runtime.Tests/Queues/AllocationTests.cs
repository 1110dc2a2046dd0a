namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class AllocationTests : IDisposable
{
    private const int Messages = 1_000;

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Publishing_allocates_nothing()
    {
        using var queue = _directory.Open(segmentBytes: 1024 * 1024);
        using var producer = queue.OpenProducer();
        Publish(producer);

        var before = GC.GetAllocatedBytesForCurrentThread();
        Publish(producer);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Reading_by_leases_allocates_nothing()
    {
        using var queue = _directory.Open(segmentBytes: 1024 * 1024);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer("risk");
        Publish(producer);
        Publish(producer);
        Take(consumer);

        var before = GC.GetAllocatedBytesForCurrentThread();
        Take(consumer);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Reading_in_a_loop_allocates_nothing()
    {
        using var queue = _directory.Open(segmentBytes: 1024 * 1024);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer("risk");
        Publish(producer);
        Publish(producer);
        Loop(consumer);

        var before = GC.GetAllocatedBytesForCurrentThread();
        Loop(consumer);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Waiting_in_vain_allocates_nothing()
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer("risk");
        using var cancellation = new CancellationTokenSource();
        Assert.False(consumer.TryRead(out _, TimeSpan.FromMilliseconds(2), cancellation.Token));

        var before = GC.GetAllocatedBytesForCurrentThread();
        Assert.False(consumer.TryRead(out _, TimeSpan.FromMilliseconds(2), cancellation.Token));

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static void Publish(QueueProducer producer)
    {
        for (var i = 0; i < Messages; i++)
        {
            producer.Publish("a message of some length"u8);
            using var claim = producer.Claim(100);
            claim.Span[0] = 1;
            claim.Commit(50);
        }
    }

    private static void Take(QueueConsumer consumer)
    {
        for (var i = 0; i < Messages; i++)
        {
            Assert.True(consumer.TryRead(out var lease));
            using (lease)
            {
                lease.Commit();
            }
        }
    }

    private static void Loop(QueueConsumer consumer)
    {
        var left = Messages;
        foreach (var payload in consumer.ReadAll())
        {
            if (payload.Length == 0 || --left == 0)
            {
                break;
            }
        }
    }
}
