using BufferedMessages.Bridges;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>
/// The registration of bridges as services. A bridge is opened when the host starts or, without a host, when it is first requested. It is closed when the host stops, or with the services, which must
/// be disposed by <c>DisposeAsync</c>. Options are validated at the start.
/// </summary>
public static class MessageBridgeServiceCollectionExtensions
{
    extension(IServiceCollection services)
    {
        /// <summary>
        /// Adds a bridge: <see cref="MessageForwarder"/> or <see cref="MessageReceiver"/> as a keyed singleton, <c>[FromKeyedServices("orders-out")] MessageForwarder orders</c>. If an exception
        /// stops the bridge later, it is logged and the bridge is unhealthy; the host continues.
        /// </summary>
        /// <param name="name">Its name among the services. It is also the name of the bridge, unless its options have another one.</param>
        /// <param name="configure">Names both ends: <c>bridge => bridge.FromQueue("data/orders").ToStream(...)</c>.</param>
        /// <exception cref="InvalidOperationException">A bridge of this name is registered already, or an end of the bridge is missing.</exception>
        public IServiceCollection AddMessageBridge(string name, Action<MessageBridgeBuilder> configure)
        {
            ArgumentNullException.ThrowIfNull(services);
            ArgumentException.ThrowIfNullOrEmpty(name);
            ArgumentNullException.ThrowIfNull(configure);
            var bridge = new MessageBridgeBuilder(services, name);
            configure(bridge);
            bridge.RequireAdded();
            return services;
        }
    }
}
