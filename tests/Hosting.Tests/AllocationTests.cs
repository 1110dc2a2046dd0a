using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Hosting.Tests;

/// <summary>What handling a message allocates, on the thread that does it.</summary>
[Collection(Alone.Name)]
public sealed class AllocationTests : IDisposable
{
    private const int Messages = 30_000;

    // The worker's first messages: code that is compiled again, and pages of the queue.
    private const int Warmup = 10_000;

    private readonly TestHost _test = new();

    public void Dispose() => _test.Dispose();

    [Theory]
    [InlineData(false, false, 1)]
    [InlineData(false, true, 1)]
    [InlineData(true, false, 1)]
    [InlineData(true, false, 64)]
    public async Task A_synchronous_handler_costs_no_allocation(bool isOrdered, bool hasThread, int messagesPerCommit)
    {
        var meter = await RunAsync(
            static (orders, configure) => orders.AddSynchronousHandler<OrderBufferedMessage, MeteredSynchronousHandler>("meter", configure), isOrdered, hasThread, messagesPerCommit);

        Assert.Equal(0, meter.FewestBytes);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_asynchronous_handler_that_completes_at_once_costs_at_most_100_bytes(bool hasThread)
    {
        var meter = await RunAsync(static (orders, configure) => orders.AddHandler<OrderBufferedMessage, MeteredHandler>("meter", configure), isOrdered: false, hasThread, messagesPerCommit: 1);

        Assert.InRange(meter.FewestBytes / (double)Meter.Interval, 0, 100);
    }

    private async Task<Meter> RunAsync(Action<MessageQueueBuilder, Action<MessageHandlerOptions>> add, bool isOrdered, bool hasThread, int messagesPerCommit)
    {
        var meter = new Meter();
        var host = _test.Build(services =>
        {
            services.AddSingleton(meter);
            var orders = services.AddMessageQueue("orders", static queue => queue.Directory = "orders").AddPublisher<Order>();
            add(orders, handler => (handler.Ordered, handler.DedicatedThread, handler.MessagesPerCommit) = (isOrdered, hasThread, messagesPerCommit));
        });
        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("orders/meter");
        control.Pause();
        await host.StartAsync();
        TestHost.Publish(host, Enumerable.Range(0, Messages).Select(static id => (long)id));
        control.Resume();
        await TestHost.UntilAsync(() => control.Handled == Messages, "all orders");
        await host.StopAsync();
        return meter;
    }

    /// <summary>The bytes that the thread allocated between messages that it handled in turn. A collection gives up its allocation buffer, which counts: the fewest of several are of this code.</summary>
    private sealed class Meter
    {
        public const int Interval = 1_000;

        private int _count;
        private int _thread;
        private long _before;

        public long FewestBytes { get; private set; } = long.MaxValue;

        public void Count()
        {
            if (++_count < Warmup || _count % Interval != 0)
            {
                return;
            }

            var bytes = GC.GetAllocatedBytesForCurrentThread();
            if (_thread == Environment.CurrentManagedThreadId)
            {
                FewestBytes = Math.Min(FewestBytes, bytes - _before);
            }

            _thread = Environment.CurrentManagedThreadId;
            _before = bytes;
        }
    }

    private sealed class MeteredSynchronousHandler(Meter meter) : ISynchronousMessageHandler<OrderBufferedMessage>
    {
        public void Handle(OrderBufferedMessage message, MessageContext context, CancellationToken cancellationToken)
        {
            _ = message.Id + context.Position;
            meter.Count();
        }
    }

    private sealed class MeteredHandler(Meter meter) : IMessageHandler<OrderBufferedMessage>
    {
        public ValueTask HandleAsync(OrderBufferedMessage message, MessageContext context, CancellationToken cancellationToken)
        {
            var id = message.Id;
            return CountAsync(id, context);
        }

        private async ValueTask CountAsync(long id, MessageContext context)
        {
            _ = id + context.Position;
            meter.Count();
            await Task.CompletedTask;
        }
    }
}
