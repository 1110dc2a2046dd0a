using BufferedMessages.Caching;

namespace BufferedMessages.Tool;

/// <summary>The ends of commands that did not go well: a line on the standard error, and an exit code.</summary>
internal static class Failures
{
    /// <summary>Runs a command.</summary>
    public static async Task<ExitCode> GuardAsync(Call call, Func<Call, Task<ExitCode>> body)
    {
        try
        {
            var code = await body(call).ConfigureAwait(false);
            call.Out.Flush();
            return code;
        }
        catch (OutputClosedException)
        {
            // The reader has seen enough, as with `| head`.
            return ExitCode.Fine;
        }
        catch (OperationCanceledException) when (call.Token.IsCancellationRequested)
        {
            return Say(call, "Interrupted.", ExitCode.Unanswered);
        }
        catch (ToolException exception)
        {
            return Say(call, exception.Message, exception.Code);
        }
        catch (Exception exception) when (CodeOf(exception) is { } code)
        {
            return Say(call, exception.Message, code);
        }
    }

    // Damage is an answer. Everything that keeps the tool from looking is none.
    private static ExitCode? CodeOf(Exception exception) => exception switch
    {
        QueueCorruptedException or CacheCorruptedException or MalformedMessageException => ExitCode.Negative,
        SchemaMismatchException => ExitCode.Negative,
        QueueInUseException or CacheInUseException or StaleQueueException or MessagesDeletedException => ExitCode.Unanswered,
        IOException or UnauthorizedAccessException or NotSupportedException or TimeoutException or FormatException => ExitCode.Unanswered,
        ArgumentException or InvalidOperationException => ExitCode.Unanswered,
        _ => null,
    };

    private static ExitCode Say(Call call, string message, ExitCode code)
    {
        try
        {
            call.Out.Flush();
        }
        catch (OutputClosedException)
        {
            // The reader is gone; the standard error may still be there.
        }
        catch (IOException exception)
        {
            message += $"\n{exception.Message}";
            code = ExitCode.Unanswered;
        }

        Complain(call, message);
        return code;
    }

    private static void Complain(Call call, string message)
    {
        try
        {
            call.Console.Error.Write(TerminalText.EscapeLines(message) + "\n");
        }
        catch (Exception exception) when (exception is OutputClosedException or IOException)
        {
            // The exit code is all that is left.
        }
    }
}
