using System.Diagnostics;
using System.Text;
using BufferedMessages.TestKit;

namespace BufferedMessages.Tool.Tests;

/// <summary>A run of the tool on a terminal, which the program <c>script</c> makes.</summary>
internal sealed class TerminalSession : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly TestProcess _process;
    private readonly TemporaryFolder _notes = new();
    private readonly StringBuilder _all = new();
    private readonly char[] _buffer = new char[4096];
    private int _read;

    /// <param name="folder">The folder where it runs.</param>
    /// <param name="commandLine">The command line after the program's name.</param>
    /// <param name="size">The lines and columns of the terminal.</param>
    /// <param name="after">A command that runs on the same terminal when the tool has ended; null for none.</param>
    /// <param name="kind">The kind of the terminal, as <c>TERM</c> has it.</param>
    public TerminalSession(string folder, string commandLine, (int Rows, int Columns) size, string? after = null, string kind = "xterm")
    {
        var start = new ProcessStartInfo(TerminalFactAttribute.Program)
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            StandardOutputEncoding = Encoding.UTF8,
            WorkingDirectory = folder,
        };
        var tool = $"\"{Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet"}\" \"{Repository.Tool}\" {commandLine}";
        foreach (var argument in new[] { "--quiet", "--return", "--command", $"tty > \"{TerminalFile}\"; echo $$ > \"{ProcessFile}\"; stty rows {size.Rows} cols {size.Columns}; {(after is null ? $"exec {tool}" : $"trap : INT; {tool}; {after}")}", "/dev/null" })
        {
            start.ArgumentList.Add(argument);
        }

        start.Environment["TERM"] = kind;
        _process = new TestProcess { StartInfo = start };
        _process.Start();
    }

    /// <summary>Gets everything that was written so far.</summary>
    public string Written => _all.ToString();

    private string TerminalFile => _notes.PathOf("terminal");

    private string ProcessFile => _notes.PathOf("process");

    /// <summary>Presses keys.</summary>
    public async Task PressAsync(string keys)
    {
        await _process.StandardInput.WriteAsync(keys);
        await _process.StandardInput.FlushAsync();
    }

    /// <summary>Waits for a text after those that were waited for.</summary>
    /// <returns>Everything since then, up to the text.</returns>
    public async Task<string> ReadUntilAsync(string text)
    {
        using var limit = new CancellationTokenSource(Limit);
        while (true)
        {
            var written = Written;
            if (written.IndexOf(text, _read, StringComparison.Ordinal) is >= 0 and var found)
            {
                var part = written[_read..(found + text.Length)];
                _read = found + text.Length;
                return part;
            }

            var count = await _process.StandardOutput.ReadAsync(_buffer, limit.Token);
            Assert.True(count > 0, $"It ended before '{text}': {written}");
            _all.Append(_buffer, 0, count);
        }
    }

    /// <summary>Changes the size of the terminal.</summary>
    public async Task ResizeAsync(int rows, int columns) => await RunAsync("stty", "-F", File.ReadAllText(TerminalFile).Trim(), "rows", $"{rows}", "cols", $"{columns}");

    /// <summary>Sends a signal to the tool.</summary>
    public async Task SignalAsync(string signal) => await RunAsync("kill", $"-{signal}", File.ReadAllText(ProcessFile).Trim());

    /// <summary>Waits for the end.</summary>
    /// <returns>The exit code.</returns>
    public async Task<int> EndAsync()
    {
        _all.Append(await _process.StandardOutput.ReadToEndAsync().WaitAsync(Limit));
        await _process.WaitForExitAsync().WaitAsync(Limit);
        return _process.ExitCode;
    }

    public void Dispose()
    {
        _process.Dispose();
        _notes.Dispose();
    }

    private static async Task RunAsync(string program, params string[] arguments)
    {
        using var process = Process.Start(program, arguments);
        await process.WaitForExitAsync();
        Assert.Equal(0, process.ExitCode);
    }
}
