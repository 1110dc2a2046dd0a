using System.Diagnostics;
using BufferedMessages.Segments;

namespace BufferedMessages.Hosting.Torture;

/// <summary>A process with handlers. Its errors are kept for the report.</summary>
internal sealed class PartProcess : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly Process _process;
    private readonly Task<string> _errors;

    private PartProcess(Process process)
    {
        _process = process;
        _errors = process.StandardError.ReadToEndAsync();
    }

    public bool HasExited => _process.HasExited;

    public int ExitCode => _process.ExitCode;

    /// <summary>The error output of the process, when it has ended.</summary>
    public string Errors => _errors.Wait(Generous) ? _errors.Result : "";

    /// <param name="faults">The steps at which the process kills itself.</param>
    /// <param name="arguments">Its part.</param>
    public static PartProcess Start(string faults, params ReadOnlySpan<string> arguments)
    {
        var host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        var start = new ProcessStartInfo(host, ["exec", typeof(PartProcess).Assembly.Location, .. arguments])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment[FaultPoints.Variable] = faults;
        return new PartProcess(Process.Start(start)!);
    }

    /// <summary>Waits until the process says that it is ready, or has ended.</summary>
    public bool AwaitReady()
    {
        var line = _process.StandardOutput.ReadLineAsync();
        return line.Wait(Generous);
    }

    /// <summary>Waits for the end of the process.</summary>
    public bool AwaitEnd(TimeSpan limit) => _process.WaitForExit(limit);

    /// <summary>Ends the process by -9.</summary>
    public void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    /// <summary>Lets the process end by itself.</summary>
    /// <returns>False if it did not, and was killed.</returns>
    public bool Stop()
    {
        _process.StandardInput.Close();
        if (_process.WaitForExit(Generous))
        {
            return true;
        }

        Kill();
        return false;
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            Kill();
        }

        _process.Dispose();
    }
}
