using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace BufferedMessages.Hosting.Tests;

/// <summary>A log that keeps the lines of a category.</summary>
/// <param name="category">The name of the category.</param>
internal sealed class LogLines(string category) : ILoggerProvider, ILogger
{
    private readonly ConcurrentQueue<(LogLevel Level, int Event, string Text, Exception? Cause)> _lines = new();

    public IEnumerable<(LogLevel Level, int Event, string Text, Exception? Cause)> All => _lines;

    public IReadOnlyList<(LogLevel Level, int Event, string Text, Exception? Cause)> Of(int id) => [.. _lines.Where(line => line.Event == id)];

    /// <summary>Whether each line ends with an exception.</summary>
    public bool IsFailing { get; set; }

    public ILogger CreateLogger(string categoryName) => categoryName == category ? this : NullLogger.Instance;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
        => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        _lines.Enqueue((logLevel, eventId.Id, formatter(state, exception), exception));
        if (IsFailing)
        {
            throw new InvalidOperationException("The log failed.");
        }
    }

    public void Dispose()
    {
    }
}
