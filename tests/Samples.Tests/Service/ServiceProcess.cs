using System.Diagnostics;
using System.Text;
using BufferedMessages.Samples.Tests.Running;
using BufferedMessages.TestKit;

namespace BufferedMessages.Samples.Tests.Service;

/// <summary>A process of the sample 06-Service, whose lines can be waited for.</summary>
internal sealed class ServiceProcess : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(90);

    private readonly TestProcess _process;
    private readonly StringBuilder _text = new();
    private readonly SemaphoreSlim _changed = new(0);

    public ServiceProcess(params string[] arguments)
    {
        var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet")
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = Repository.Root,
        };
        start.ArgumentList.Add(Repository.PathOf($"samples/06-Service/bin/{Repository.Configuration}/net10.0/Service.dll"));
        foreach (var argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        _process = new TestProcess { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Add(line.Data);
        _process.ErrorDataReceived += (_, line) => Add(line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>All lines of the process until now.</summary>
    public string Text
    {
        get
        {
            lock (_text)
            {
                return _text.ToString();
            }
        }
    }

    /// <summary>Waits until the process has printed a text.</summary>
    /// <returns>The rest of the line after it.</returns>
    public async Task<string> HearAsync(string text)
    {
        using var limit = new CancellationTokenSource(Limit);
        while (true)
        {
            var all = Text;
            var found = all.IndexOf(text, StringComparison.Ordinal);
            if (found >= 0)
            {
                return all[(found + text.Length)..].Split('\n')[0];
            }

            try
            {
                await _changed.WaitAsync(limit.Token);
            }
            catch (OperationCanceledException)
            {
                Assert.Fail($"The process did not print '{text}':\n{all}");
            }
        }
    }

    /// <summary>Waits for the end of the process.</summary>
    public async Task<int> WaitAsync()
    {
        await _process.WaitForExitAsync().WaitAsync(Limit);
        return _process.ExitCode;
    }

    public void Dispose()
    {
        _process.Dispose();
        _changed.Dispose();
    }

    private void Add(string? line)
    {
        if (line is not null)
        {
            lock (_text)
            {
                _text.Append(line).Append('\n');
            }

            _changed.Release();
        }
    }
}
