using System.Diagnostics;

namespace BufferedMessages.Hosting.Tests;

/// <summary>A process that plays a part; killed at the end of the test at the latest.</summary>
internal sealed class ChildProcess : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly Process _process;

    private ChildProcess(Process process) => _process = process;

    public static ChildProcess Start(string part, params ReadOnlySpan<string> arguments)
    {
        var host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        return new ChildProcess(Process.Start(new ProcessStartInfo(host, ["exec", typeof(ChildProcess).Assembly.Location, part, .. arguments])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        })!);
    }

    /// <summary>Waits for the next line; null when the process ended.</summary>
    public string? Hear()
    {
        var line = _process.StandardOutput.ReadLineAsync();
        return line.Wait(Generous) ? line.Result : throw new TimeoutException("The process said nothing.");
    }

    /// <summary>Waits for the end of the process.</summary>
    public void AwaitEnd() => Assert.True(_process.WaitForExit(Generous), "The process did not end.");

    /// <summary>Kills the process as <c>kill -9</c> does, and waits until it is gone.</summary>
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
