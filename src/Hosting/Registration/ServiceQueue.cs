using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace BufferedMessages.Hosting;

/// <summary>Opens a queue with the settings of the services, and logs it.</summary>
internal static class ServiceQueue
{
    /// <exception cref="OptionsValidationException">The settings are invalid.</exception>
    /// <inheritdoc cref="MessageQueue.Open" path="/exception"/>
    public static MessageQueue Open(IServiceProvider services, string name)
    {
        var settings = SettingsOf(services, name);
        var logger = LoggerOf(services);
        var path = PathOf(services, settings);
        try
        {
            var queue = settings.SharedName is { } shared ? MessageQueue.OpenShared(shared, settings.Options) : MessageQueue.Open(path, settings.Options);
            logger.QueueOpened(name, queue.Path);
            return queue;
        }
        catch (Exception exception)
        {
            logger.QueueNotOpened(exception, name, path);
            throw;
        }
    }

    public static MessageQueueSettings SettingsOf(IServiceProvider services, string name) => services.GetRequiredService<IOptionsMonitor<MessageQueueSettings>>().Get(name);

    public static ILogger LoggerOf(IServiceProvider services) => services.GetService<ILoggerFactory>()?.CreateLogger(HostingLog.Category) ?? NullLogger.Instance;

    private static string PathOf(IServiceProvider services, MessageQueueSettings settings) =>
        settings.SharedName is { } shared
            ? MessageQueue.GetSharedPath(shared)
            : Path.GetFullPath(settings.Directory!, services.GetService<IHostEnvironment>()?.ContentRootPath ?? Environment.CurrentDirectory);
}
