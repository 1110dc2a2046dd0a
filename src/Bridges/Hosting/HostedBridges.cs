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

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        var closing = Task.WhenAll(Bridges().Select(static bridge => bridge.CloseAsync().AsTask()));
        try
        {
            await closing.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The host waits no longer, which is not a failure. The services wait for the rest when they are disposed.
        }
    }

    private IEnumerable<ServiceBridge> Bridges() => registrations.Select(registration => services.GetRequiredKeyedService<ServiceBridge>(registration.Name));
}
