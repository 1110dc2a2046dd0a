using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace BufferedMessages.Caching.Torture;

/// <summary>A process of the torture.</summary>
internal sealed partial class TorturePeer : IDisposable
{
    private const int Stop = 19;
    private const int Continue = 18;

    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly Process _process;

    private TorturePeer(Process process) => _process = process;

    public int ProcessId => _process.Id;

    /// <summary>Gets whether the process ended by itself, which is a fault.</summary>
    public bool HasEnded => _process.HasExited;

    /// <summary>Starts a part and waits until it has opened the cache.</summary>
    public static TorturePeer Start(params ReadOnlySpan<string> arguments)
    {
        var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet") { UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true };
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

    /// <summary>Lets this process, a part, end with the one that started it, also if that is killed.</summary>
    public static void EndWithStarter()
    {
        var end = new Thread(static () =>
        {
            Console.In.ReadToEnd();
            Environment.Exit(1);
        });
        end.IsBackground = true;
        end.Start();
    }

    /// <summary>
    /// Gets the bytes of segments that the process has in memory. The process is paused: the kernel reads one mapping after the other, and would count memory twice that moves between them.
    /// </summary>
    public long ResidentBytes(string cache)
    {
        if (!OperatingSystem.IsLinux())
        {
            return 0;
        }

        _ = SendSignal(_process.Id, Stop);

        // The threads of the process go on until one of them has taken the signal.
        SpinWait.SpinUntil(IsStoppedOrGone, Generous);
        var bytes = BudgetWatch.ResidentBytes(_process.Id, cache);
        _ = SendSignal(_process.Id, Continue);
        return bytes;
    }

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    private bool IsStoppedOrGone()
    {
        try
        {
            return HasEnded || File.ReadAllText($"/proc/{_process.Id.ToString(CultureInfo.InvariantCulture)}/stat").Contains(") T ", StringComparison.Ordinal);
        }
        catch (IOException)
        {
            // It was killed just now.
            return true;
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int SendSignal(int process, int signal);
}
