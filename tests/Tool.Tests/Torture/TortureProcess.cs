using System.Diagnostics;
using System.Text;
using BufferedMessages.TestKit;

namespace BufferedMessages.Tool.Tests;

/// <summary>The torture of tests/CrossProcess as a process, with its queues in a folder.</summary>
internal sealed class TortureProcess : IDisposable
{
    private const string FolderVariable = "BUFFEREDMESSAGES_TORTURE_FOLDER";

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    private readonly TestProcess _process;
    private readonly StringBuilder _output = new();

    public TortureProcess(string folder)
    {
        var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", [Repository.CrossProcess, "torture", "--seconds", "10"])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
        };
        start.Environment[FolderVariable] = folder;
        _process = new TestProcess { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Note(line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
    }

    public bool HasExited => _process.HasExited;

    /// <summary>Waits for the end.</summary>
    /// <returns>The output.</returns>
    public async Task<string> EndAsync()
    {
        await _process.WaitForExitAsync().WaitAsync(Patience);
        lock (_output)
        {
            return _output.ToString();
        }
    }

    public void Dispose() => _process.Dispose();

    private void Note(string? line)
    {
        if (line is null)
        {
            return;
        }

        lock (_output)
        {
            _output.Append(line).Append('\n');
        }
    }
}
