using System.Runtime.InteropServices;

namespace BufferedMessages.Tool;

/// <summary>
/// Turns SIGINT (Ctrl-C) and SIGTERM into a token, from the first instruction of the program to its end. The parser's own handling begins only after
/// the command has run up to its first wait, so that an earlier signal would kill the process in the middle of its output.
/// </summary>
internal static class Interruption
{
    // The shells' convention: 128 and the number of the signal.
    private const int ExitCodeOfInterrupt = 130;
    private const int ExitCodeOfTermination = 143;

    // A command removes what it has made, which takes seconds on a busy machine. A second signal does not wait for it.
    private static readonly TimeSpan EndTimeout = TimeSpan.FromSeconds(10);
    private static readonly CancellationTokenSource Source = new();

    // A registration without a reference ends with the next collection, and so does a timer.
    private static readonly List<PosixSignalRegistration> Registrations = [];
    private static Timer? _end;

    /// <summary>Begins to listen.</summary>
    /// <returns>A token that the first signal cancels.</returns>
    public static CancellationToken Listen()
    {
        Registrations.Add(PosixSignalRegistration.Create(PosixSignal.SIGINT, static context => Interrupt(context, ExitCodeOfInterrupt)));
        Registrations.Add(PosixSignalRegistration.Create(PosixSignal.SIGTERM, static context => Interrupt(context, ExitCodeOfTermination)));
        return Source.Token;
    }

    // The first signal lets the command end by itself, within a time. The second one ends the process at once.
    private static void Interrupt(PosixSignalContext context, int exitCode)
    {
        if (Source.IsCancellationRequested)
        {
            return;
        }

        context.Cancel = true;
        _end = new Timer(_ => Environment.Exit(exitCode), null, EndTimeout, Timeout.InfiniteTimeSpan);
        Source.Cancel();
    }
}
