using BufferedMessages;
using BufferedMessages.Hosting;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>
/// The registration of queues as services. A queue is opened when the host starts or, without a host, when it is first requested. It is closed with the services. Settings are validated at the start.
/// </summary>
public static class MessageQueueServiceCollectionExtensions
{
    extension(IServiceCollection services)
    {
        /// <summary>
        /// Adds a queue: <see cref="MessageQueue"/> as a keyed singleton, <c>[FromKeyedServices("orders")] MessageQueue orders</c>. A second call with the same name adds to the first.
        /// </summary>
        /// <param name="name">Its name among the services.</param>
        /// <param name="configure">Sets at least <see cref="MessageQueueSettings.Directory"/> or <see cref="MessageQueueSettings.SharedName"/>, unless the settings are bound to a configuration.</param>
        /// <returns>The queue, for its publishers and handlers, and to bind its <see cref="MessageQueueBuilder.Settings"/>.</returns>
        public MessageQueueBuilder AddMessageQueue(string name, Action<MessageQueueSettings>? configure = null)
        {
            ArgumentNullException.ThrowIfNull(services);
            ArgumentException.ThrowIfNullOrEmpty(name);
            var settings = services.AddOptions<MessageQueueSettings>(name);
            if (configure is not null)
            {
                settings.Configure(configure);
            }

            if (!services.Any(service => service is { IsKeyedService: false, ImplementationInstance: QueueRegistration added } && added.Name == name))
            {
                services.AddSingleton(new QueueRegistration(name));
                services.AddKeyedSingleton(name, (provider, _) => ServiceQueue.Open(provider, name));
                services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<MessageQueueSettings>, MessageQueueSettingsValidation>());
                services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, HostedQueues>());
                settings.ValidateOnStart();
            }

            return new MessageQueueBuilder(name, settings);
        }
    }
}
