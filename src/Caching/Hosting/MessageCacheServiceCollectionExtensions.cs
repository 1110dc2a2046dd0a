using BufferedMessages.Caching;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>
/// The registration of caches as services. A cache is opened when the host starts or, without a host, when it is first requested. It is closed with the services. Settings are validated at the start.
/// </summary>
public static class MessageCacheServiceCollectionExtensions
{
    extension(IServiceCollection services)
    {
        /// <summary>Adds a cache: <see cref="MessageCache{TKey}"/> as a singleton.</summary>
        /// <typeparam name="TKey">The type of its keys.</typeparam>
        /// <param name="configure">Sets at least <see cref="MessageCacheSettings.Directory"/>, unless the returned settings are bound to a configuration.</param>
        /// <returns>The settings, which can be bound to a configuration: <c>.BindConfiguration("Cache")</c>.</returns>
        /// <exception cref="InvalidOperationException">A cache without a name is registered already, with other keys.</exception>
        public OptionsBuilder<MessageCacheSettings> AddMessageCache<TKey>(Action<MessageCacheSettings>? configure = null)
            where TKey : notnull
            => services.Add<TKey>("", configure);

        /// <summary>Adds a cache with a name: <see cref="MessageCache{TKey}"/> as a keyed singleton, <c>[FromKeyedServices("orders")] MessageCache&lt;int&gt; orders</c>.</summary>
        /// <typeparam name="TKey">The type of its keys.</typeparam>
        /// <param name="name">Its name, here and in metrics and the log.</param>
        /// <param name="configure">Sets at least <see cref="MessageCacheSettings.Directory"/>, unless the returned settings are bound to a configuration.</param>
        /// <returns>The settings, which can be bound to a configuration: <c>.BindConfiguration("Caches:Orders")</c>.</returns>
        /// <exception cref="InvalidOperationException">A cache of this name is registered already, with other keys.</exception>
        public OptionsBuilder<MessageCacheSettings> AddMessageCache<TKey>(string name, Action<MessageCacheSettings>? configure = null)
            where TKey : notnull
        {
            ArgumentException.ThrowIfNullOrEmpty(name);
            return services.Add<TKey>(name, configure);
        }

        /// <summary>
        /// Adds a cache of texts as <see cref="IDistributedCache"/> and <see cref="IBufferDistributedCache"/>, for example as the second level of a hybrid cache.
        /// The same entries are available as <c>MessageCache&lt;string&gt;</c>.
        /// </summary>
        /// <remarks>
        /// Asynchronous methods that would wait for a disk do so on another thread. Their wait for the owner of a shared cache blocks no thread. An entry without any expiry gets
        /// <see cref="MessageCacheOptions.DefaultExpiry"/>. An expiration in the past removes the entry. The caller gets the exceptions of the cache:
        /// <see cref="CacheEntryTooLargeException"/>, <see cref="BufferedMessages.DiskFullException"/>, <see cref="TimeoutException"/>,
        /// <see cref="NotSupportedException"/> for an owner of another release, and <see cref="InvalidOperationException"/> for changes to a cache that is open for reading only.
        /// </remarks>
        /// <inheritdoc cref="extension(IServiceCollection).AddMessageCache{TKey}(Action{MessageCacheSettings}?)"/>
        public OptionsBuilder<MessageCacheSettings> AddDistributedMessageCache(Action<MessageCacheSettings>? configure = null)
        {
            var settings = services.Add<string>("", configure);
            services.TryAddSingleton(static provider => new MessageDistributedCache(provider.GetRequiredService<MessageCache<string>>()));
            services.AddSingleton<IDistributedCache>(static provider => provider.GetRequiredService<MessageDistributedCache>());
            services.AddSingleton<IBufferDistributedCache>(static provider => provider.GetRequiredService<MessageDistributedCache>());
            return settings;
        }

        /// <summary>Adds a cache of texts with a name as keyed <see cref="IDistributedCache"/> and <see cref="IBufferDistributedCache"/>. The same entries are available as keyed <c>MessageCache&lt;string&gt;</c>.</summary>
        /// <inheritdoc cref="extension(IServiceCollection).AddMessageCache{TKey}(string, Action{MessageCacheSettings}?)"/>
        public OptionsBuilder<MessageCacheSettings> AddDistributedMessageCache(string name, Action<MessageCacheSettings>? configure = null)
        {
            ArgumentException.ThrowIfNullOrEmpty(name);
            var settings = services.Add<string>(name, configure);
            services.TryAddKeyedSingleton(name, static (provider, key) => new MessageDistributedCache(provider.GetRequiredKeyedService<MessageCache<string>>(key)));
            services.AddKeyedSingleton<IDistributedCache>(name, static (provider, key) => provider.GetRequiredKeyedService<MessageDistributedCache>(key));
            services.AddKeyedSingleton<IBufferDistributedCache>(name, static (provider, key) => provider.GetRequiredKeyedService<MessageDistributedCache>(key));
            return settings;
        }

        private OptionsBuilder<MessageCacheSettings> Add<TKey>(string name, Action<MessageCacheSettings>? configure)
            where TKey : notnull
        {
            ArgumentNullException.ThrowIfNull(services);
            var settings = services.AddOptions<MessageCacheSettings>(name);
            if (configure is not null)
            {
                settings.Configure(configure);
            }

            if (!services.IsAdded(name, typeof(TKey)))
            {
                services.AddCache<TKey>(name);
                services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<MessageCacheSettings>, MessageCacheSettingsValidation>());
                services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, HostedCaches>());
                settings.ValidateOnStart();
            }

            return settings;
        }

        private void AddCache<TKey>(string name)
            where TKey : notnull
        {
            if (name.Length == 0)
            {
                services.AddSingleton(static provider => ServiceCache.Open<TKey>(provider, ""));
            }
            else
            {
                services.AddKeyedSingleton(name, (provider, _) => ServiceCache.Open<TKey>(provider, name));
            }

            services.AddSingleton(new CacheRegistration(name, typeof(TKey), provider => ServiceCache.Watch(
                provider, name, name.Length == 0 ? provider.GetRequiredService<MessageCache<TKey>>() : provider.GetRequiredKeyedService<MessageCache<TKey>>(name))));
        }

        // Two caches of the same name would share their settings.
        private bool IsAdded(string name, Type keyType)
        {
            var added = services.Select(static service => service is { IsKeyedService: false, ImplementationInstance: CacheRegistration registration } ? registration : null)
                .FirstOrDefault(registration => registration?.Name == name);
            return added is null || added.KeyType == keyType
                ? added is not null
                : throw new InvalidOperationException(
                    name.Length == 0
                        ? $"A cache without a name is registered already, with keys of {added.KeyType}. Give one of the two a name."
                        : $"A cache '{name}' is registered already, with keys of {added.KeyType}. Give one of the two another name.");
        }
    }
}
