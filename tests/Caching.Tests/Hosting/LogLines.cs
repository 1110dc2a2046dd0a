using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace BufferedMessages.Caching.Tests.Hosting;

/// <summary>A log that keeps its lines.</summary>
internal sealed class LogLines : ILoggerProvider, ILogger
{
    private readonly ConcurrentQueue<(LogLevel Level, int Event, string Text)> _lines = new();

    public IEnumerable<(LogLevel Level, int Event, string Text)> All => _lines;

    public string[] Of(int id) => [.. _lines.Where(line => line.Event == id).Select(line => line.Text)];

    /// <summary>Whether each line ends with an exception.</summary>
    public bool IsFailing { get; set; }

    public ILogger CreateLogger(string categoryName) => categoryName.StartsWith("BufferedMessages", StringComparison.Ordinal) ? this : Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
        => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        _lines.Enqueue((logLevel, eventId.Id, formatter(state, exception)));
        if (IsFailing)
        {
            throw new InvalidOperationException("The log failed.");
        }
    }

    public void Dispose()
    {
    }
}
