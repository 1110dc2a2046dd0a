using System.Net.Sockets;
using BufferedMessages.Caching;

namespace BufferedMessages.Tool;

/// <summary>The ends of commands that did not go well: a line on the standard error, and an exit code.</summary>
internal static class Failures
{
    /// <summary>Runs a command, or the help of one.</summary>
    /// <param name="console">Where it writes.</param>
    /// <param name="body">The command.</param>
    /// <param name="token">The token that Ctrl-C cancels.</param>
    public static async Task<ExitCode> GuardAsync(ToolConsole console, Func<Task<ExitCode>> body, CancellationToken token)
    {
        var code = ExitCode.Fine;
        try
        {
            code = await body().ConfigureAwait(false);
            console.Out.Flush();
            return code;
        }
        catch (OutputClosedException)
        {
            // The reader has seen enough, as with `| head`. A command that had come to its end, and only had lines left to write, keeps its exit code.
            return code;
        }
        catch (OperationCanceledException) when (token.IsCancellationRequested)
        {
            return Say(console, "Interrupted.", ExitCode.Unanswered);
        }
        catch (ToolException exception)
        {
            return Say(console, exception.Message, exception.Code);
        }
        catch (Exception exception) when (CodeOf(exception) is { } failure)
        {
            return Say(console, exception.Message, failure);
        }
    }

    /// <summary>Gets the exit code of a failure: damage is an answer; a failure that keeps the tool from looking is not.</summary>
    /// <returns>Null if the exception is not an expected failure.</returns>
    public static ExitCode? CodeOf(Exception exception) => exception switch
    {
        QueueCorruptedException or CacheCorruptedException or MalformedMessageException => ExitCode.Negative,
        SchemaMismatchException => ExitCode.Negative,
        QueueInUseException or CacheInUseException or StaleQueueException or MessagesDeletedException => ExitCode.Unanswered,
        IOException or SocketException or UnauthorizedAccessException or NotSupportedException or TimeoutException or FormatException => ExitCode.Unanswered,
        MessageTooLargeException => ExitCode.Unanswered,
        ArgumentException or InvalidOperationException => ExitCode.Unanswered,
        _ => null,
    };

    private static ExitCode Say(ToolConsole console, string message, ExitCode code)
    {
        try
        {
            console.Out.Flush();
        }
        catch (OutputClosedException)
        {
            // The reader is gone; the standard error may still be there.
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            message += $"\n{exception.Message}";
            code = ExitCode.Unanswered;
        }

        Complain(console, message);
        return code;
    }

    private static void Complain(ToolConsole console, string message)
    {
        try
        {
            console.Error.Write(TerminalText.EscapeLines(message) + "\n");
        }
        catch (Exception exception) when (exception is OutputClosedException or IOException or UnauthorizedAccessException)
        {
            // The reader is gone, the disk is full, or the program was started without a standard error. The exit code is all that is left.
        }
    }
}
