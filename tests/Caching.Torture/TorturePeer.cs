using System.Diagnostics;

namespace BufferedMessages.Caching.Torture;

/// <summary>A process of the torture.</summary>
internal sealed class TorturePeer : IDisposable
{
    private readonly Process _process;

    private TorturePeer(Process process) => _process = process;

    public int ProcessId => _process.Id;

    /// <summary>It ended by itself, which none should.</summary>
    public bool HasEnded => _process.HasExited;

    /// <summary>Starts a part and waits until it has opened the cache.</summary>
    public static TorturePeer Start(params ReadOnlySpan<string> arguments)
    {
        var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet") { UseShellExecute = false, RedirectStandardOutput = true };
        start.ArgumentList.Add("exec");
        start.ArgumentList.Add(typeof(TorturePeer).Assembly.Location);
        foreach (var argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        var peer = new TorturePeer(Process.Start(start)!);
        peer._process.StandardOutput.ReadLine();
        return peer;
    }

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }
}
