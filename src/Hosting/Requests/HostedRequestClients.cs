using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Hosting;

/// <summary>Opens the clients of requests when the host starts, after the queues, so that a faulty one stops the host. They are closed with the services.</summary>
internal sealed class HostedRequestClients(IEnumerable<RequestClientRegistration> clients, IServiceProvider services) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        foreach (var client in clients)
        {
            client.Open(services);
        }

        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
