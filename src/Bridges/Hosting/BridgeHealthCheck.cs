using System.Globalization;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace BufferedMessages.Bridges;

/// <summary>The health of a bridge of the services.</summary>
internal sealed class BridgeHealthCheck(ServiceBridge bridge) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var loop = bridge.Open().Loop;
        var status = loop.Link.Status;
        return Task.FromResult(new HealthCheckResult(HealthOf(status.State), Describe(status, loop.Link.Stream), status.Failure, DataOf(loop)));
    }

    private static HealthStatus HealthOf(BridgeState state) => state switch
    {
        BridgeState.Connected => HealthStatus.Healthy,
        BridgeState.Stopped => HealthStatus.Unhealthy,
        _ => HealthStatus.Degraded,
    };

    private static string Describe(BridgeStatus status, string stream)
    {
        var since = status.Since.ToString("u", CultureInfo.InvariantCulture);
        return status switch
        {
            { State: BridgeState.Connected } => $"Connected to stream {stream} since {since}.",
            { State: BridgeState.Connecting } => $"Connecting to stream {stream} since {since}.",
            { State: BridgeState.Retrying } => $"Held up since {since}, and trying again with stream {stream}: {status.Failure?.Message}",
            { Failure: { } failure } => $"Stopped at {since}: {failure.Message}",
            _ => $"Closed at {since}.",
        };
    }

    private static Dictionary<string, object> DataOf(IBridgeLoop loop)
    {
        var data = new Dictionary<string, object>(StringComparer.Ordinal);
        foreach (var number in BridgeNumber.All)
        {
            if (loop.Read(number) is { } value)
            {
                data[number.Name] = number.Kind == BridgeNumberKind.Age ? (object)value : (long)value;
            }
        }

        return data;
    }
}
