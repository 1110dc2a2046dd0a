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
        /// the counts of the bridge.
        /// </summary>
        /// <param name="tags">Tags of the checks, by which they can be filtered; null for none.</param>
        public IHealthChecksBuilder AddMessageBridges(IEnumerable<string>? tags = null)
        {
            ArgumentNullException.ThrowIfNull(checks);

            // The bridges may be registered after the checks.
            checks.Services.AddOptions<HealthCheckServiceOptions>().Configure<IEnumerable<BridgeRegistration>>((options, bridges) =>
            {
                foreach (var name in bridges.Select(static bridge => bridge.Name))
                {
                    options.Registrations.Add(new HealthCheckRegistration(
                        "bridge." + name, services => new BridgeHealthCheck(services.GetRequiredKeyedService<ServiceBridge>(name)), failureStatus: null, tags));
                }
            });
            return checks;
        }
    }
}
