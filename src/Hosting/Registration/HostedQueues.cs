using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Hosting;

/// <summary>
/// Opens the queues when the host starts, then the publishers and the handlers, so that a faulty one stops the host; and lets the handlers finish when it stops. Queues and publishers are closed with the
/// services.
/// </summary>
internal sealed class HostedQueues(
    IEnumerable<QueueRegistration> queues, IEnumerable<PublisherRegistration> publishers, IEnumerable<HandlerRegistration> handlers, IServiceProvider services) : IHostedService
{
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        foreach (var queue in queues)
        {
            services.GetRequiredKeyedService<MessageQueue>(queue.Name);
        }

        foreach (var publisher in publishers)
        {
            publisher.Open(services);
        }

        try
        {
            foreach (var handler in handlers)
            {
                RunOf(handler).Start(services.GetRequiredKeyedService<MessageQueue>(handler.Queue));
            }
        }
        catch
        {
            await StopAsync(cancellationToken).ConfigureAwait(false);
            throw;
        }
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.WhenAll(handlers.Select(handler => RunOf(handler).StopAsync(cancellationToken)));

    private HandlerRun RunOf(HandlerRegistration handler) => services.GetRequiredKeyedService<HandlerRun>(handler.Key);
}
