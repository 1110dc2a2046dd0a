using System.Diagnostics;
using System.Text;
using BufferedMessages.TestKit;

namespace BufferedMessages.Tool.Tests;

/// <summary>The torture of tests/CrossProcess as a process, with its queues in a folder.</summary>
internal sealed class TortureProcess : IDisposable
{
    private const string FolderVariable = "BUFFEREDMESSAGES_TORTURE_FOLDER";

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan LinePatience = TimeSpan.FromSeconds(5);

    private readonly Process _process;
    private readonly StringBuilder _output = new();
    private int _endedRounds;

    public TortureProcess(string folder)
    {
        var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", [Repository.CrossProcess, "torture", "--seconds", "10"])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
        };
        start.Environment[FolderVariable] = folder;
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Note(line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
    }

    public bool HasExited => _process.HasExited;

    /// <summary>Gets how many rounds have said that they are over.</summary>
    public int EndedRounds => Volatile.Read(ref _endedRounds);

    /// <summary>Whether a round is over that was not at some time before. Its line may be on its way.</summary>
    public async Task<bool> HasEndedRoundSinceAsync(int rounds)
    {
        var start = Stopwatch.GetTimestamp();
        while (EndedRounds == rounds && Stopwatch.GetElapsedTime(start) < LinePatience)
        {
            await Task.Delay(1);
        }

        return EndedRounds > rounds;
    }

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

    public void Dispose()
    {
        ProcessTree.End(_process);
    }

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

        if (line.StartsWith("round ", StringComparison.Ordinal))
        {
            Interlocked.Increment(ref _endedRounds);
        }
    }
}
