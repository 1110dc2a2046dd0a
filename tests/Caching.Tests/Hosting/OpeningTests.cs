using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace BufferedMessages.Caching.Tests.Hosting;

/// <summary>What happens to the files of a cache while a host opens it.</summary>
public sealed class OpeningTests : IDisposable
{
    // More than the entries of the first index need.
    private const long DiskBytes = 64 * CacheDirectory.SegmentBytes;

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task An_index_that_the_owner_of_a_shared_cache_has_enlarged_is_not_said_to_be_made_anew()
    {
        using var owner = _directory.Open<int>(CacheDirectory.SmallWith(static options => (options.Shared, options.DiskBytes) = (true, DiskBytes)));
        var index = _directory.FileOf("index.*");
        using var log = new OpeningLog(() =>
        {
            for (var key = 0; _directory.FileOf("index.*") == index; key++)
            {
                owner.Set(key, Values.Of(key, 10));
            }
        });
        using var host = Build(log, static settings => (settings.Shared, settings.DiskBytes) = (true, DiskBytes));
        await host.StartAsync();

        Assert.NotEqual(index, _directory.FileOf("index.*"));
        Assert.Equal([1], log.Events);
    }

    [LinuxFact]
    public async Task A_host_starts_also_if_the_system_cannot_look_at_the_files_of_its_open_cache_for_a_moment()
    {
        _directory.Open<int>().Dispose();
        HiddenPath? hidden = null;
        using var log = new OpeningLog(() => hidden = new HiddenPath(_directory));
        using var host = Build(log, static _ => { });
        try
        {
            await host.StartAsync();
        }
        finally
        {
            hidden?.Dispose();
        }

        host.Services.GetRequiredKeyedService<MessageCache<int>>("orders").Set(1, "value"u8);
    }

    private IHost Build(OpeningLog log, Action<MessageCacheSettings> configure)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.AddProvider(log);
        builder.Services.AddMessageCache<int>("orders", settings =>
        {
            _directory.SetSmall(settings);
            configure(settings);
        });
        return builder.Build();
    }

    /// <summary>A log that does something when a cache is said to be open.</summary>
    private sealed class OpeningLog(Action opened) : ILoggerProvider, ILogger
    {
        private readonly ConcurrentQueue<int> _events = new();

        public IEnumerable<int> Events => _events;

        public ILogger CreateLogger(string categoryName) => categoryName.StartsWith("BufferedMessages", StringComparison.Ordinal) ? this : NullLogger.Instance;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            _events.Enqueue(eventId.Id);
            if (eventId.Id == 1)
            {
                opened();
            }
        }

        public void Dispose()
        {
        }
    }
}
