using BufferedMessages;

namespace WorkerNamespace1;

/// <summary>Publishes an order each second. Replace it by your own source: a web API, a timer, a file.</summary>
public sealed class OrderSource(MessagePublisher<Order> publisher) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1));
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            await publisher.PublishAsync(new Order(Guid.CreateVersion7(), "Lamp", 2), stoppingToken);
        }
    }
}
