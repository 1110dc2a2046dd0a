using System.Diagnostics.CodeAnalysis;
using BufferedMessages.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace BufferedMessages.Hosting;

/// <summary>A queue that is registered as a service, to which publishers and handlers are added.</summary>
public sealed class MessageQueueBuilder
{
    internal MessageQueueBuilder(string name, OptionsBuilder<MessageQueueSettings> settings)
    {
        Name = name;
        Settings = settings;
    }

    /// <summary>Gets the name of the queue among the services.</summary>
    public string Name { get; }

    /// <summary>Gets the services.</summary>
    public IServiceCollection Services => Settings.Services;

    /// <summary>Gets the settings of the queue, to be bound: <c>orders.Settings.BindConfiguration("Queues:Orders")</c>.</summary>
    public OptionsBuilder<MessageQueueSettings> Settings { get; }

    /// <summary>
    /// Adds a publisher: <see cref="MessagePublisher{TSource}"/> as a keyed singleton by the name of the queue, and as a singleton without a key, if it is the only one of its type. It is opened when the
    /// host starts, or when it is first requested, and closed with the services.
    /// </summary>
    /// <typeparam name="TSource">A type with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
    /// <param name="configure">Changes the options of its producers, which stamp the time and the trace context by default.</param>
    /// <exception cref="InvalidOperationException">The queue has a publisher of this type already.</exception>
    public MessageQueueBuilder AddPublisher<TSource>(Action<ProducerOptions>? configure = null)
        where TSource : IBufferedMessageSource<TSource>
    {
        var name = Name;
        if (Registered<PublisherRegistration>().Any(added => added.Queue == name && added.SourceType == typeof(TSource)))
        {
            throw new InvalidOperationException($"The queue '{name}' already has a publisher of {typeof(TSource)}. One publisher serves all threads.");
        }

        Services.AddSingleton(new PublisherRegistration(name, typeof(TSource), provider => provider.GetRequiredKeyedService<MessagePublisher<TSource>>(name)));
        Services.AddKeyedSingleton(name, (provider, _) =>
        {
            var options = new ProducerOptions { StampTime = true, StampTrace = true };
            configure?.Invoke(options);
            return provider.GetRequiredKeyedService<MessageQueue>(name).OpenPublisher<TSource>(options);
        });
        Services.TryAddSingleton(static provider =>
        {
            var names = provider.GetServices<PublisherRegistration>().Where(static added => added.SourceType == typeof(TSource)).Select(static added => added.Queue).ToList();
            return names.Count == 1
                ? provider.GetRequiredKeyedService<MessagePublisher<TSource>>(names[0])
                : throw new InvalidOperationException(
                    $"Several queues have publishers of {typeof(TSource)}: {string.Join(", ", names)}. Request one by its queue: [FromKeyedServices(\"{names[0]}\")].");
        });
        return this;
    }

    /// <summary>
    /// Adds a handler. It begins while the host starts, after all queues and publishers are open. Its state is available as the <see cref="MessageHandlerControl"/> with the key
    /// <c>queue/handler</c>, and its options are the named options of this name.
    /// </summary>
    /// <typeparam name="TView">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
    /// <typeparam name="THandler">The handler. It is added to the services as transient, unless it is there already; each worker requests one in its scope.</typeparam>
    /// <param name="name">Its name, which is also its consumer name in the queue, and the name of its dead letters. It must be a valid folder name of 1 to 116 bytes in UTF-8 that does not end with <c>.attempts</c> or <c>.removed</c>.</param>
    /// <param name="configure">Changes its options.</param>
    /// <exception cref="ArgumentException">The name is not valid for a folder or a consumer.</exception>
    /// <exception cref="InvalidOperationException">The queue has a handler of this name already.</exception>
    public MessageQueueBuilder AddHandler<TView, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(string name, Action<MessageHandlerOptions>? configure = null)
        where TView : IQueuePayload<TView>, allows ref struct
        where THandler : class, IMessageHandler<TView>
        => Add<TView, THandler, AsynchronousCall<TView>>(name, configure, static services => new AsynchronousCall<TView>(services.GetRequiredService<THandler>()));

    /// <summary>Adds a synchronous handler. Otherwise it works like <see cref="AddHandler{TView, THandler}"/>.</summary>
    /// <inheritdoc cref="AddHandler{TView, THandler}"/>
    public MessageQueueBuilder AddSynchronousHandler<TView, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        string name, Action<MessageHandlerOptions>? configure = null)
        where TView : IQueuePayload<TView>, allows ref struct
        where THandler : class, ISynchronousMessageHandler<TView>
        => Add<TView, THandler, SynchronousCall<TView>>(name, configure, static services => new SynchronousCall<TView>(services.GetRequiredService<THandler>()));

    private MessageQueueBuilder Add<TView, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler, TCall>(
        string name, Action<MessageHandlerOptions>? configure, Func<IServiceProvider, TCall> resolve)
        where TView : IQueuePayload<TView>, allows ref struct
        where THandler : class
        where TCall : struct, IHandlerCall<TView>
    {
        CursorNames.RequireName(DeadLetterFolder.RequireHandlerName(name));
        var registration = new HandlerRegistration(Name, name);
        if (Registered<HandlerRegistration>().Contains(registration))
        {
            throw new InvalidOperationException($"The queue '{Name}' has a handler '{name}' already. Give one of the two another name.");
        }

        var options = Services.AddOptions<MessageHandlerOptions>(registration.Key);
        if (configure is not null)
        {
            options.Configure(configure);
        }

        options.ValidateOnStart();
        Services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<MessageHandlerOptions>, MessageHandlerOptionsValidation>());
        Services.TryAddTransient<THandler>();
        Services.AddSingleton(registration);
        Services.AddKeyedSingleton(registration.Key, (provider, _) => new HandlerRun(
            IdentityOf(provider, registration), (run, queue) => new HandlerWorker<TView, TCall>(run, queue, provider, resolve), provider.GetKeyedService<IUnhandledMessages>(registration.Key)));
        Services.AddKeyedSingleton(registration.Key, static (provider, key) => new MessageHandlerControl(provider.GetRequiredKeyedService<HandlerRun>(key)));
        return this;
    }

    private static HandlerIdentity IdentityOf(IServiceProvider services, HandlerRegistration registration) => new(
        registration.Queue,
        registration.Name,
        services.GetRequiredService<IOptionsMonitor<MessageHandlerOptions>>().Get(registration.Key),
        services.GetService<TimeProvider>() ?? TimeProvider.System,
        ServiceQueue.LoggerOf(services));

    /// <summary>The registrations of a type.</summary>
    internal IEnumerable<T> Registered<T>()
        where T : class
        => Services.Where(static service => !service.IsKeyedService).Select(static service => service.ImplementationInstance).OfType<T>();
}
