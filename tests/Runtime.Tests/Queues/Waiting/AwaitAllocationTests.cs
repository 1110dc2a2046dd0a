using System.Diagnostics;
using System.Reflection;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>What awaits allocate, on all threads.</summary>
[Collection(WholeProcess.Name)]
public sealed class AwaitAllocationTests : IDisposable
{
    // Without optimization the compiler makes a class of each asynchronous method's state, and an object of it for each call.
    private static readonly bool IsOptimized = typeof(MessageQueue).Assembly.GetCustomAttribute<DebuggableAttribute>() is not { IsJITOptimizerDisabled: true };

    private readonly QueueDirectory _directory = new(QueueMode.Bounded);

    public void Dispose() => _directory.Dispose();

    // The state of an await is used again; now and then the framework does not find it, and makes another.
    [Fact]
    public async Task Awaiting_messages_allocates_next_to_nothing()
    {
        const int Messages = 1_000;
        var mostBytes = Messages * (IsOptimized ? 200 : 500);
        using var queue = _directory.Open(segmentBytes: 1024 * 1024, slots: 4);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk", new() { Wait = WaitStrategy.Block });
        var fewest = long.MaxValue;
        for (var attempt = 0; attempt < Allocations.Attempts; attempt++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            for (var i = 0; i < Messages; i++)
            {
                var reading = consumer.ReadAsync();
                producer.Publish("a message of some length"u8);
                (await reading).Commit();
            }

            fewest = Math.Min(fewest, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        Assert.InRange(fewest, 0, mostBytes);
    }
}
