using System.Diagnostics;

namespace BufferedMessages.Samples;

/// <summary>
/// This program, started once more in another role. The pipe to its standard input is its lifeline: when this process ends, however
/// it ends, the pipe closes, and the second process stops too.
/// </summary>
internal sealed class SecondProcess : IDisposable
{
    private readonly Process _process;

    private SecondProcess(Process process) => _process = process;

    /// <summary>Completes with the exit code when the second process has ended.</summary>
    public async Task<int> WaitAsync()
    {
        await _process.WaitForExitAsync();
        return _process.ExitCode;
    }

    public static SecondProcess Start(params string[] arguments)
    {
        var program = Environment.ProcessPath ?? throw new InvalidOperationException("This system does not tell which program is running.");
        var start = new ProcessStartInfo(program) { UseShellExecute = false, RedirectStandardInput = true };
        if (Path.GetFileNameWithoutExtension(program) == "dotnet")
        {
            start.ArgumentList.Add(Environment.GetCommandLineArgs()[0]);
        }

        foreach (var argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        return new SecondProcess(Process.Start(start) ?? throw new InvalidOperationException($"'{program}' could not be started."));
    }

    /// <summary>In the second process: calls back when the first one has closed the pipe or ended.</summary>
    public static void OnFirstProcessEnded(Action stop)
    {
        // Ctrl+C reaches both processes; the first one decides what it means.
        Console.CancelKeyPress += static (_, e) => e.Cancel = true;
        new Thread(() =>
        {
            using var lifeline = Console.OpenStandardInput();
            while (lifeline.ReadByte() >= 0)
            {
            }

            stop();
        })
        { IsBackground = true }.Start();
    }

    /// <summary>Lets the second process stop, and waits for it.</summary>
    public void Dispose()
    {
        _process.StandardInput.Close();
        _process.WaitForExit();
        _process.Dispose();
    }
}
