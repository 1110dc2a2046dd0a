using System.Diagnostics;

namespace BufferedMessages.TestKit;

/// <summary>A process of the program that this file is compiled into, which plays a part; killed at the end of the test at the latest.</summary>
public sealed class ChildProcess : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly Process _process;

    private ChildProcess(Process process) => _process = process;

    public int ProcessId => _process.Id;

    public static ChildProcess Start(params ReadOnlySpan<string> arguments) => StartBy([], arguments);

    /// <summary>Starts a process by another program, which changes its user or its mask.</summary>
    /// <param name="launcher">The program and its arguments; those of the process follow them.</param>
    /// <param name="arguments">The arguments of the process.</param>
    public static ChildProcess StartBy(ReadOnlySpan<string> launcher, params ReadOnlySpan<string> arguments)
    {
        var host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        string[] line = [.. launcher, host, "exec", typeof(ChildProcess).Assembly.Location, .. arguments];
        return new ChildProcess(Process.Start(new ProcessStartInfo(line[0], line[1..])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        })!);
    }

    /// <summary>Waits for the process's next line; null when it has ended.</summary>
    public string? Hear()
    {
        var line = _process.StandardOutput.ReadLineAsync();
        return line.Wait(Generous) ? line.Result : throw new TimeoutException("The process printed nothing.");
    }

    /// <summary>Tells the process to continue, or a command.</summary>
    public void Tell(string line = "") => _process.StandardInput.WriteLine(line);

    /// <summary>Waits for the end of the process.</summary>
    public void AwaitEnd()
    {
        if (!_process.WaitForExit(Generous))
        {
            throw new TimeoutException("The process did not end.");
        }
    }

    /// <summary>Kills the process as <c>kill -9</c> does, and waits for its end.</summary>
    public void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    public void Dispose()
    {
        Kill();
        _process.Dispose();
    }
}
