using BufferedMessages.Caching;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>The registration of a cache as the store of the output-caching middleware.</summary>
public static class MessageOutputCacheServiceCollectionExtensions
{
    extension(IServiceCollection services)
    {
        /// <summary>
        /// Adds output caching with a cache of texts as its store. <c>app.UseOutputCache()</c> and the policies of endpoints work as with the framework's in-memory store. The same cache is available
        /// as <c>MessageCache&lt;string&gt;</c>.
        /// </summary>
        /// <param name="configure">Sets at least <see cref="MessageCacheSettings.Directory"/>, unless the returned settings are bound to a configuration.</param>
        /// <returns>The settings, which can be bound to a configuration: <c>.BindConfiguration("Pages")</c>.</returns>
        /// <exception cref="InvalidOperationException">A cache without a name is registered already, with other keys.</exception>
        public OptionsBuilder<MessageCacheSettings> AddMessageOutputCache(Action<MessageCacheSettings>? configure = null)
        {
            ArgumentNullException.ThrowIfNull(services);
            services.AddOutputCache();
            services.AddSingleton<IOutputCacheStore>(static provider => new MessageOutputCacheStore(provider.GetRequiredService<MessageCache<string>>()));
            return Writable(services.AddMessageCache<string>(configure));
        }

        /// <summary>Adds output caching with a named cache of texts as its store. The same cache is available as keyed <c>MessageCache&lt;string&gt;</c>.</summary>
        /// <param name="name">The name of the cache, here and in metrics and the log.</param>
        /// <param name="configure">Sets at least <see cref="MessageCacheSettings.Directory"/>, unless the returned settings are bound to a configuration.</param>
        /// <returns>The settings, which can be bound to a configuration: <c>.BindConfiguration("Caches:Pages")</c>.</returns>
        /// <exception cref="InvalidOperationException">A cache of this name is registered already, with other keys.</exception>
        public OptionsBuilder<MessageCacheSettings> AddMessageOutputCache(string name, Action<MessageCacheSettings>? configure = null)
        {
            ArgumentNullException.ThrowIfNull(services);
            ArgumentException.ThrowIfNullOrEmpty(name);
            services.AddOutputCache();
            services.AddSingleton<IOutputCacheStore>(provider => new MessageOutputCacheStore(provider.GetRequiredKeyedService<MessageCache<string>>(name)));
            return Writable(services.AddMessageCache<string>(name, configure));
        }
    }

    private static OptionsBuilder<MessageCacheSettings> Writable(OptionsBuilder<MessageCacheSettings> settings)
    {
        var cache = settings.Name.Length == 0 ? "the cache" : $"the cache '{settings.Name}'";
        return settings.Validate(static settings => !settings.IsReadOnly, $"IsReadOnly of {cache}: The store of output caching sets responses. Use Shared for a cache of several processes.");
    }
}
