using Microsoft.Extensions.Logging;

namespace BufferedMessages;

/// <summary>A log whose failures do not end the work that it reports: exceptions of its providers are dropped.</summary>
internal sealed class QuietLog(ILogger log) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
        => log.BeginScope(state);

    public bool IsEnabled(LogLevel logLevel)
    {
        try
        {
            return log.IsEnabled(logLevel);
        }
        catch (Exception)
        {
            return false;
        }
    }

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        try
        {
            log.Log(logLevel, eventId, state, exception, formatter);
        }
        catch (Exception)
        {
            // The work continues.
        }
    }
}
