using BufferedMessages.Hosting;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>The health checks of queues.</summary>
public static class MessageQueueHealthChecksBuilderExtensions
{
    extension(IHealthChecksBuilder checks)
    {
        /// <summary>
        /// Adds a check for each queue of the services, "queue." and its name. It is unhealthy if the queue cannot be opened, is damaged, was deleted or has no room on its disk, or a handler cannot go on. It
        /// is degraded if a limit of <see cref="MessageQueueHealthOptions"/> is exceeded, a dead member of a group holds a message, there are new dead letters, or a handler is paused. A second call adds its
        /// limits and tags to those of the first.
        /// </summary>
        /// <param name="configure">Changes the limits of all queues; null for the defaults.</param>
        /// <param name="tags">Tags of the checks, by which they can be filtered; null for none.</param>
        public IHealthChecksBuilder AddMessageQueues(Action<MessageQueueHealthOptions>? configure = null, IEnumerable<string>? tags = null)
        {
            ArgumentNullException.ThrowIfNull(checks);
            if (configure is not null)
            {
                checks.Services.ConfigureAll(configure);
            }

            var isAdded = checks.Services.Any(static service => service.ServiceType == typeof(QueueCheckTags));
            checks.Services.AddSingleton(new QueueCheckTags([.. tags ?? []]));
            if (isAdded)
            {
                return checks;
            }

            // The queues may be registered after the checks.
            checks.Services.AddOptions<HealthCheckServiceOptions>().Configure<IEnumerable<QueueRegistration>, IEnumerable<QueueCheckTags>>(static (options, queues, calls) =>
            {
                foreach (var name in queues.Select(static queue => queue.Name))
                {
                    options.Registrations.Add(new HealthCheckRegistration(
                        "queue." + name, services => new MessageQueueHealthCheck(name, services), failureStatus: null, calls.SelectMany(static call => call.Tags)));
                }
            })
            .Validate<IEnumerable<QueueRegistration>, IOptionsMonitor<MessageQueueHealthOptions>>(static (_, queues, limits) =>
            {
                // Invalid limits throw, and name the queue.
                foreach (var queue in queues)
                {
                    limits.Get(queue.Name);
                }

                return true;
            })
            .ValidateOnStart();
            checks.Services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<MessageQueueHealthOptions>, MessageQueueHealthOptionsValidation>());
            return checks;
        }
    }

    /// <summary>The tags of a call, which may be one of several.</summary>
    private sealed record QueueCheckTags(string[] Tags);
}
