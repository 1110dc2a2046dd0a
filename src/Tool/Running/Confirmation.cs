using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>The question before a change that cannot be undone.</summary>
internal static class Confirmation
{
    /// <summary>Makes the option that gives the answer.</summary>
    public static Option<bool> Option() => new("--yes", "-y") { Description = "Do not ask." };

    /// <summary>Asks, unless the command line has the answer.</summary>
    /// <param name="call">The command.</param>
    /// <param name="isGiven">Whether the command line has <c>--yes</c>.</param>
    /// <param name="question">The change, as a question.</param>
    /// <exception cref="ToolException">The answer is not yes, or there is none.</exception>
    /// <exception cref="OperationCanceledException">Ctrl-C.</exception>
    public static void Require(Call call, bool isGiven, string question)
    {
        if (isGiven)
        {
            return;
        }

        call.Out.Flush();
        try
        {
            call.Console.Error.Write($"{TerminalText.Escape(question)} [y/N] ");
            call.Console.Error.Flush();
        }
        catch (OutputClosedException)
        {
            // The input may have an answer nevertheless.
        }

        // No read of the input ends by a token. The thread that waits for the line ends with the process.
        var answer = Task.Run(() => call.Console.In.ReadLine(), CancellationToken.None).WaitAsync(call.Token).GetAwaiter().GetResult();
        if (answer?.Trim() is not ("y" or "Y" or "yes"))
        {
            throw new ToolException("Nothing was changed. Answer y, or give --yes.");
        }
    }
}
