using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace BufferedMessages.Bridges;

/// <summary>A bridge that is being registered as a service: <c>bridge.FromQueue("data/orders").ToStream(...)</c>, or <c>bridge.FromStream(...).ToQueue("data/orders")</c>.</summary>
/// <remarks>A stream is created by a function, for example <c>_ => new RabbitMqMessageStream(address, "orders")</c>.</remarks>
public sealed class MessageBridgeBuilder
{
    private readonly IServiceCollection _services;
    private readonly string _name;

    internal MessageBridgeBuilder(IServiceCollection services, string name)
    {
        _services = services;
        _name = name;
    }

    private bool IsAdded => _services.Any(service => service is { IsKeyedService: false, ImplementationInstance: BridgeRegistration registration } && registration.Name == _name);

    /// <summary>Begins a bridge at a queue, whose messages it forwards. It opens the queue for itself; the application may open it too.</summary>
    /// <param name="path">The path of the queue's directory. A relative path begins at the content root of the host or, without a host, at the current directory.</param>
    /// <param name="options">The options of the queue; null for the defaults.</param>
    public QueueBridgeBuilder FromQueue(string path, MessageQueueOptions? options = null)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        return new QueueBridgeBuilder(this, path, options);
    }

    /// <summary>Begins a bridge at a stream of a broker, whose messages it receives.</summary>
    /// <param name="create">Creates the stream when the bridge is opened. The bridge disposes it with the services.</param>
    public StreamBridgeBuilder FromStream(Func<IServiceProvider, IMessageStream> create)
    {
        ArgumentNullException.ThrowIfNull(create);
        return new StreamBridgeBuilder(this, create);
    }

    /// <summary>Registers the bridge, whose two ends are known.</summary>
    internal OptionsBuilder<TOptions> Add<TBridge, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] TOptions>(
        string queuePath, MessageQueueOptions? queueOptions, Func<IServiceProvider, IMessageStream> createStream, Func<MessageQueue, IMessageStream, TOptions, TBridge> open)
        where TBridge : class, IBridge
        where TOptions : BridgeOptions
    {
        if (IsAdded)
        {
            throw new InvalidOperationException($"A bridge '{_name}' is registered already. Give one of the two another name.");
        }

        var name = _name;
        var registration = new BridgeRegistration(
            name, queuePath, queueOptions, createStream, (provider, queue, stream) => open(queue, stream, provider.GetRequiredService<IOptionsMonitor<TOptions>>().Get(name)));
        _services.AddSingleton(registration);
        _services.AddKeyedSingleton(name, (provider, _) => new ServiceBridge(registration, provider));
        _services.AddKeyedSingleton(name, static (provider, key) => (TBridge)provider.GetRequiredKeyedService<ServiceBridge>(key).Open());
        _services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, HostedBridges>());
        _services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<TOptions>, BridgeOptionsValidation<TOptions>>());
        return _services.AddOptions<TOptions>(name)
            .PostConfigure<IServiceProvider>((options, provider) =>
            {
                options.Name ??= name;
                options.Logger ??= ServiceBridge.LoggerOf(provider);
            })
            .ValidateOnStart();
    }

    /// <exception cref="InvalidOperationException">An end of the bridge is missing.</exception>
    internal void RequireAdded()
    {
        if (!IsAdded)
        {
            throw new InvalidOperationException($"An end of the bridge '{_name}' is missing. Call FromQueue and then ToStream, or FromStream and then ToQueue.");
        }
    }
}
