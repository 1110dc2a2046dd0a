using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Caching;

/// <summary>
/// Opens the caches when the host starts, so that a faulty one stops the host, and watches them until it stops. They are closed with the services.
/// </summary>
internal sealed class HostedCaches(IEnumerable<CacheRegistration> registrations, IServiceProvider services) : BackgroundService
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(10);

    private List<CacheWatch> _watches = [];

    public override Task StartAsync(CancellationToken cancellationToken)
    {
        _watches = [.. registrations.Select(registration => registration.Open(services))];
        return base.StartAsync(cancellationToken);
    }

    public override async Task StopAsync(CancellationToken cancellationToken)
    {
        await base.StopAsync(cancellationToken).ConfigureAwait(false);
        _watches.ForEach(static watch => watch.Close());
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(Period);
        while (await timer.WaitForNextTickAsync(stoppingToken).ConfigureAwait(false))
        {
            _watches.ForEach(static watch => watch.Look());
        }
    }
}
