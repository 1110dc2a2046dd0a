using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Bridges;

/// <summary>Opens the bridges when the host starts, so that a faulty one stops the host, and closes them when it stops.</summary>
internal sealed class HostedBridges(IEnumerable<BridgeRegistration> registrations, IServiceProvider services) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        foreach (var bridge in Bridges())
        {
            bridge.Open();
        }

        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.WhenAll(Bridges().Select(static bridge => bridge.CloseAsync().AsTask())).WaitAsync(cancellationToken);

    private IEnumerable<ServiceBridge> Bridges() => registrations.Select(registration => services.GetRequiredKeyedService<ServiceBridge>(registration.Name));
}
