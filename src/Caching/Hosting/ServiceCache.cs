using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace BufferedMessages.Caching;

/// <summary>Opens a cache with the settings of the services, and logs it.</summary>
internal static class ServiceCache
{
    private const string LogCategory = "BufferedMessages.Caching.MessageCache";

    /// <param name="services">The services.</param>
    /// <param name="name">The name of the cache; empty for the cache without a name.</param>
    /// <exception cref="OptionsValidationException">The settings are invalid.</exception>
    /// <inheritdoc cref="MessageCache.Open" path="/exception"/>
    public static MessageCache<TKey> Open<TKey>(IServiceProvider services, string name)
        where TKey : notnull
    {
        var settings = SettingsOf(services, name);
        var options = settings.ToOptions(name.Length == 0 ? null : name, services.GetService<TimeProvider>() ?? TimeProvider.System);
        var directory = Path.GetFullPath(settings.Directory, services.GetService<IHostEnvironment>()?.ContentRootPath ?? Environment.CurrentDirectory);
        var indexBefore = IndexFiles(directory);
        var start = Stopwatch.GetTimestamp();
        var cache = settings.IsReadOnly ? MessageCache.OpenReadOnly<TKey>(directory, options) : MessageCache.Open<TKey>(directory, options);
        var statistics = cache.GetStatistics();
        var logger = LoggerOf(services);
        logger.Opened(cache.Name, directory, statistics.Entries, statistics.DiskBytes, (long)Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        if (indexBefore is not null && !cache.IsAsking && IndexFiles(directory) is { } index && !index.Overlaps(indexBefore))
        {
            logger.Recovered(cache.Name, statistics.Entries, statistics.Corrupt);
        }

        return cache;
    }

    /// <summary>Creates the watch of an open cache.</summary>
    public static CacheWatch Watch<TKey>(IServiceProvider services, string name, MessageCache<TKey> cache)
        where TKey : notnull
    {
        // The budget belongs to the process that writes. Another process may own a shared cache now, and this one later.
        var budget = SettingsOf(services, name).DiskBytes / cache.SegmentBytes * cache.SegmentBytes;
        return new CacheWatch(cache.Name, cache.Directory, () => cache.IsAsking ? long.MaxValue : budget, cache.GetStatistics, LoggerOf(services));
    }

    private static MessageCacheSettings SettingsOf(IServiceProvider services, string name) => services.GetRequiredService<IOptionsMonitor<MessageCacheSettings>>().Get(name);

    private static QuietLog LoggerOf(IServiceProvider services) => new QuietLog(services.GetService<ILoggerFactory>()?.CreateLogger(LogCategory) ?? NullLogger.Instance);

    // A rebuilt index has a new generation, and so has one that a process that writes has enlarged. Null if there is no cache, or while the system cannot list the files; the log then omits the line.
    private static HashSet<string>? IndexFiles(string directory)
    {
        try
        {
            return File.Exists(CacheFiles.Control(directory)) ? [.. CacheFiles.Indexes(directory)] : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
