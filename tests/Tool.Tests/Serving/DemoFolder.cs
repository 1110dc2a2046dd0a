using BufferedMessages.Hosting;
using Shop;

namespace BufferedMessages.Tool.Tests;

/// <summary>Queues and a cache with something of everything, in use: orders with names and dead letters, and ticks that are published until the end.</summary>
internal sealed class DemoFolder : IAsyncDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly CancellationTokenSource _end = new();
    private readonly MessageQueue _orders;
    private readonly MessageQueue _ticks;
    private readonly MessageProducer<Order> _producer;
    private readonly MessageConsumer<RawMessage> _member;
    private readonly MessageConsumer<RawMessage> _reader;
    private readonly MessageProducer _ticking;
    private readonly Task _publishing;

    public DemoFolder()
    {
        _orders = MessageQueue.Open(Orders, new MessageQueueOptions { Retention = new QueueRetention { MaxBytes = 1L << 30, DeleteRead = true } });
        _producer = _orders.OpenProducer<Order>(new ProducerOptions { StampTime = true });
        _producer.Publish(new Order(40, "first", [new OrderLine("Bulb", 6)]));
        _producer.Publish(new Order(41, "rush", [new OrderLine("Lamp", 2), new OrderLine("Bulb", 1)]));
        _producer.Publish(new Order(42, null, []));
        using (var shipping = _orders.OpenConsumer<RawMessage>("shipping"))
        {
            Assert.True(shipping.TryRead(out var delivery));
            delivery.Commit();
        }

        _member = _orders.OpenConsumer<RawMessage>("billing", new ConsumerOptions { Shared = true });
        using (var letters = new DeadLetterStore(_orders, "shipping"))
        {
            letters.Add(new Order(38, null, []).ToMessageArray(), new MessageProperties(), new MessageId(_orders.Id, 1, 64), attempts: 3, "timeout of the carrier", exception: null);
        }

        using (var cache = Caching.MessageCache.Open<string>(Pages, new Caching.MessageCacheOptions { DiskBytes = 1 << 20, SegmentBytes = 65536 }))
        {
            cache.Set("order/41", new Order(41, "rush", []));
            cache.Set("logo", "PNG"u8);
        }

        _ticks = MessageQueue.Open(_folder.PathOf("market/ticks"), new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 1 << 20 });
        _reader = _ticks.OpenConsumer<RawMessage>("chart");
        _ticking = _ticks.OpenProducer(new ProducerOptions { StampTime = true });
        _ticking.Publish(BitConverter.GetBytes(0));
        _publishing = Task.Run(PublishAsync);
    }

    public string Path => _folder.Path;

    public string Orders => _folder.PathOf("orders");

    public string Pages => _folder.PathOf("pages");

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _publishing;
        _end.Dispose();
        _member.Dispose();
        _reader.Dispose();
        _producer.Dispose();
        _ticking.Dispose();
        _ticks.Dispose();
        _orders.Dispose();
        _folder.Dispose();
    }

    // A rate that rises and falls, for the plots. One message is always unread, so each sample has an age of the oldest.
    private async Task PublishAsync()
    {
        for (var step = 1; !_end.IsCancellationRequested; step++)
        {
            var ticks = (int)(12 + (10 * Math.Sin(step / 500.0)));
            for (var i = 0; i < ticks; i++)
            {
                _ticking.Publish(BitConverter.GetBytes(step));
            }

            for (var i = 0; i < ticks && _reader.TryRead(out var delivery); i++)
            {
                delivery.Commit();
            }

            await Task.Delay(20);
        }
    }
}
