using BufferedMessages.Bridges;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>The health checks of bridges.</summary>
public static class MessageBridgeHealthChecksBuilderExtensions
{
    extension(IHealthChecksBuilder checks)
    {
        /// <summary>
        /// Adds a check for each bridge of the services, "bridge." and its name: healthy while it is connected, degraded while it connects or tries again, unhealthy when it has stopped. Its data are
        /// the counts of the bridge. A second call adds its tags to those of the first.
        /// </summary>
        /// <param name="tags">Tags of the checks, by which they can be filtered; null for none.</param>
        public IHealthChecksBuilder AddMessageBridges(IEnumerable<string>? tags = null)
        {
            ArgumentNullException.ThrowIfNull(checks);

            var isAdded = checks.Services.Any(static service => service.ServiceType == typeof(BridgeCheckTags));
            checks.Services.AddSingleton(new BridgeCheckTags([.. tags ?? []]));
            if (isAdded)
            {
                return checks;
            }

            // The bridges may be registered after the checks.
            checks.Services.AddOptions<HealthCheckServiceOptions>().Configure<IEnumerable<BridgeRegistration>, IEnumerable<BridgeCheckTags>>(static (options, bridges, calls) =>
            {
                foreach (var name in bridges.Select(static bridge => bridge.Name))
                {
                    options.Registrations.Add(new HealthCheckRegistration(
                        "bridge." + name, services => new BridgeHealthCheck(services.GetRequiredKeyedService<ServiceBridge>(name)), failureStatus: null, calls.SelectMany(static call => call.Tags)));
                }
            });
            return checks;
        }
    }

    /// <summary>The tags of a call, which may be one of several.</summary>
    private sealed record BridgeCheckTags(string[] Tags);
}
