using System.Diagnostics;
using System.Runtime.InteropServices;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>A started process, before and while it plays its role.</summary>
internal sealed partial class WorkerProcess : IDisposable
{
    private const int ExitCodeOfKilled = 128 + 9;
    private const int SignalKill = 9;
    private const int SignalContinue = 18;
    private const int SignalStop = 19;

    private readonly Process _process;
    private long _resumeTime;

    private WorkerProcess(Process process) => _process = process;

    /// <summary>Null before it has one.</summary>
    public WorkerRole? Role { get; private set; }

    public bool HasExited => _process.HasExited;

    public bool WasKilled => _process.ExitCode == ExitCodeOfKilled;

    /// <summary>It ended itself, and not well.</summary>
    public bool HasFailed => _process.ExitCode != 0;

    /// <summary>Stopped from outside.</summary>
    public bool IsStopped { get; private set; }

    /// <summary>Starts a process that waits for its role.</summary>
    public static WorkerProcess Start()
    {
        var host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        var start = new ProcessStartInfo(host) { UseShellExecute = false, RedirectStandardInput = true };
        start.ArgumentList.Add("exec");
        start.ArgumentList.Add(typeof(WorkerProcess).Assembly.Location);
        start.ArgumentList.Add("worker");

        // They live shortly: what speeds up a long life only costs here.
        start.Environment["DOTNET_TieredPGO"] = "0";
        start.Environment["DOTNET_TieredCompilation_BackgroundWorkerTimeoutMs"] = "0";

        // Nor does a debugger come to them. A process that is killed would leave its socket.
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        return new WorkerProcess(Process.Start(start)!);
    }

    public void Play(WorkerRole role)
    {
        Role = role;
        try
        {
            _process.StandardInput.WriteLine(role.ToString());
            _process.StandardInput.Flush();
        }
        catch (IOException)
        {
            // It died: that is seen where its end is.
        }
    }

    public void Kill() => _ = SendSignal(_process.Id, SignalKill);

    /// <summary>Stops the process for some time; <see cref="ResumeInTime"/> lets it go on.</summary>
    public void Pause(TimeSpan duration)
    {
        IsStopped = true;
        _resumeTime = Stopwatch.GetTimestamp() + (long)(duration.TotalSeconds * Stopwatch.Frequency);
        _ = SendSignal(_process.Id, SignalStop);
    }

    public void ResumeInTime()
    {
        if (IsStopped && Stopwatch.GetTimestamp() > _resumeTime)
        {
            Resume();
        }
    }

    public void Resume()
    {
        IsStopped = false;
        _ = SendSignal(_process.Id, SignalContinue);
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            Kill();
        }

        _process.WaitForExit();
        _process.Dispose();
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int SendSignal(int process, int signal);
}
