using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace BufferedMessages.Bridges;

/// <summary>A bridge of the services, with the queue and the stream that it owns. Thread-safe.</summary>
internal sealed class ServiceBridge(BridgeRegistration registration, IServiceProvider services) : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private MessageQueue? _queue;
    private IMessageStream? _stream;
    private IBridge? _bridge;

    private string QueuePath => Path.GetFullPath(registration.QueuePath, services.GetService<IHostEnvironment>()?.ContentRootPath ?? Environment.CurrentDirectory);

    /// <summary>The log of the bridges of the services.</summary>
    public static ILogger LoggerOf(IServiceProvider services) => new QuietLog(services.GetService<ILoggerFactory>()?.CreateLogger("BufferedMessages.Bridges") ?? NullLogger.Instance);

    /// <summary>Opens the bridge, unless it was opened already. A failed call may be repeated.</summary>
    public IBridge Open()
    {
        lock (_gate)
        {
            try
            {
                _queue ??= MessageQueue.Open(QueuePath, registration.QueueOptions);
                _stream ??= registration.CreateStream(services);
                return _bridge ??= registration.Open(services, _queue, _stream);
            }
            catch (Exception exception)
            {
                LoggerOf(services).NotOpened(exception, registration.Name, QueuePath);
                throw;
            }
        }
    }

    /// <summary>Closes the bridge. Its queue and its stream are closed with the services, so that its statistics can still be read.</summary>
    public ValueTask CloseAsync()
    {
        lock (_gate)
        {
            return _bridge?.DisposeAsync() ?? ValueTask.CompletedTask;
        }
    }

    public async ValueTask DisposeAsync()
    {
        try
        {
            // It has ended even if a callback of the stream on its token throws.
            await CloseAsync().ConfigureAwait(false);
        }
        finally
        {
            _queue?.Dispose();
            if (_stream is not null)
            {
                await _stream.DisposeAsync().ConfigureAwait(false);
            }
        }
    }
}
