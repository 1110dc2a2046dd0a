using System.Diagnostics;
using System.Runtime.InteropServices;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess;

/// <summary>A process that plays a part; killed at the end of the test at the latest.</summary>
internal sealed partial class Peer : IDisposable
{
    private const int Stop = 19;
    private const int Continue = 18;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly Process _process;

    private Peer(Process process) => _process = process;

    public int ProcessId => _process.Id;

    public static Peer Start(string part, params ReadOnlySpan<string> arguments) => StartWithFaults("", part, arguments);

    /// <summary>Starts a peer that breaks the protocol as it is ordered.</summary>
    public static Peer StartWithFaults(string orders, string part, params ReadOnlySpan<string> arguments) =>
        StartIn(new Dictionary<string, string>(StringComparer.Ordinal) { [FaultPoints.Variable] = orders }, part, arguments);

    /// <summary>Starts a peer with environment variables.</summary>
    public static Peer StartIn(IReadOnlyDictionary<string, string> environment, string part, params ReadOnlySpan<string> arguments)
    {
        var host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        var start = new ProcessStartInfo(host) { UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true };
        foreach (var (name, value) in environment)
        {
            start.Environment[name] = value;
        }

        start.ArgumentList.Add("exec");
        start.ArgumentList.Add(typeof(Peer).Assembly.Location);
        start.ArgumentList.Add(part);
        foreach (var argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        return new Peer(Process.Start(start)!);
    }

    /// <summary>Starts a peer of another user.</summary>
    /// <param name="user">The options of setpriv.</param>
    /// <param name="part">The part.</param>
    /// <param name="arguments">Its arguments.</param>
    public static Peer StartAs(string user, string part, params ReadOnlySpan<string> arguments)
    {
        var host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        return new Peer(Process.Start(new ProcessStartInfo("setpriv", [.. user.Split(' '), host, "exec", typeof(Peer).Assembly.Location, part, .. arguments])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        })!);
    }

    /// <summary>Waits for the peer's next line; null when it ended.</summary>
    public string? Hear()
    {
        var line = _process.StandardOutput.ReadLineAsync();
        return line.Wait(Generous) ? line.Result : throw new TimeoutException("The process said nothing.");
    }

    /// <summary>Tells the peer to go on.</summary>
    /// <param name="times">How often. A peer that dies after the first word has no ear for the next ones, so all are written at once.</param>
    public void Tell(int times = 1) => _process.StandardInput.Write(new string('\n', times));

    /// <summary>Kills the peer as <c>kill -9</c> does, and waits until it is gone.</summary>
    public void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    /// <summary>Stops the peer as <c>kill -STOP</c> does: it lives but does nothing.</summary>
    public void Pause() => Assert.Equal(0, SendSignal(_process.Id, Stop));

    /// <summary>Waits until the peer has stopped itself.</summary>
    public void AwaitStop() => Assert.True(
        SpinWait.SpinUntil(() => File.ReadAllText($"/proc/{_process.Id}/stat").Contains(") T ", StringComparison.Ordinal), Generous),
        "The process did not stop.");

    /// <summary>Lets a stopped peer go on.</summary>
    public void Resume() => Assert.Equal(0, SendSignal(_process.Id, Continue));

    public void Dispose()
    {
        Kill();
        _process.Dispose();
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int SendSignal(int process, int signal);
}
