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
        var settings = services.GetRequiredService<IOptionsMonitor<MessageQueueSettings>>().Get(name);
        var logger = LoggerOf(services);
        var path = PathOf(services, settings);
        try
        {
            var options = settings.Options.Telling(heard => Log(logger, name, heard));
            var queue = settings.SharedNameOrNull is { } shared ? MessageQueue.OpenShared(shared, options) : MessageQueue.Open(path, options);
            logger.QueueOpened(name, queue.Path);
            return queue;
        }
        catch (Exception exception)
        {
            logger.QueueNotOpened(exception, name, path);
            throw;
        }
    }

    public static ILogger LoggerOf(IServiceProvider services) => new QuietLog(services.GetService<ILoggerFactory>()?.CreateLogger(HostingLog.Category) ?? NullLogger.Instance);

    private static void Log(ILogger logger, string name, QueueEvent heard)
    {
        var level = LevelOf(heard.Kind);
        if (logger.IsEnabled(level))
        {
            logger.QueueReported(level, name, heard.Kind, heard.Message);
        }
    }

    private static LogLevel LevelOf(QueueEventKind kind) => kind switch
    {
        QueueEventKind.SegmentsDeleted or QueueEventKind.SlotFreed => LogLevel.Information,
        QueueEventKind.FlushFailed or QueueEventKind.DiskFull or QueueEventKind.FilesLost => LogLevel.Error,
        _ => LogLevel.Warning,
    };

    private static string PathOf(IServiceProvider services, MessageQueueSettings settings) =>
        settings.SharedNameOrNull is { } shared
            ? MessageQueue.GetSharedPath(shared)
            : Path.GetFullPath(settings.Directory!, services.GetService<IHostEnvironment>()?.ContentRootPath ?? Environment.CurrentDirectory);
}
