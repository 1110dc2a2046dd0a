using System.Diagnostics;

namespace BufferedMessages.Bridges.Torture;

/// <summary>A process that plays a part. Its errors are kept for the report.</summary>
internal sealed class PartProcess : IDisposable
{
    private readonly Process _process;

    private PartProcess(Process process) => _process = process;

    public bool HasExited => _process.HasExited;

    /// <summary>The end of what the process wrote to its error output.</summary>
    public string Errors { get; private set; } = "";

    public static PartProcess Start(params string[] arguments)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { UseShellExecute = false, RedirectStandardInput = true, RedirectStandardError = true };
        if (Path.GetFileNameWithoutExtension(start.FileName) == "dotnet")
        {
            start.ArgumentList.Add(typeof(PartProcess).Assembly.Location);
        }

        foreach (var argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        var process = new PartProcess(Process.Start(start)!);
        process._process.ErrorDataReceived += (_, line) => process.Errors += line.Data is null ? "" : line.Data + Environment.NewLine;
        process._process.BeginErrorReadLine();
        return process;
    }

    /// <summary>Ends the process by -9.</summary>
    public void Kill()
    {
        _process.Kill();
        _process.WaitForExit();
    }

    /// <summary>Lets the process end by itself.</summary>
    public void Stop()
    {
        if (!_process.HasExited)
        {
            _process.StandardInput.Close();
            if (!_process.WaitForExit(TimeSpan.FromSeconds(30)))
            {
                Kill();
            }
        }
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
