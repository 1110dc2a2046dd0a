using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace BufferedMessages.Samples.Tests.Running;

/// <summary>A sample that runs as a process of its own.</summary>
internal sealed class SampleProcess : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly Process _process;
    private readonly Task<string> _output;
    private readonly Task<string> _errors;

    private SampleProcess(Process process)
    {
        _process = process;
        _output = process.StandardOutput.ReadToEndAsync();
        _errors = process.StandardError.ReadToEndAsync();
    }

    /// <summary>The dotnet command that runs these tests.</summary>
    public static string DotnetPath { get; } = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";

    public int Id => _process.Id;

    /// <summary>Starts a built sample.</summary>
    /// <param name="folder">Its folder under samples, for example 01-QuickStart.</param>
    /// <param name="arguments">Its command line.</param>
    public static SampleProcess Start(string folder, params string[] arguments)
    {
        var program = Repository.PathOf($"samples/{folder}/bin/{Repository.Configuration}/net10.0/{folder[3..]}.dll");
        return StartDotnet([program, .. arguments]);
    }

    /// <summary>Starts the dotnet command.</summary>
    public static SampleProcess StartDotnet(params string[] arguments) => StartDotnetIn(Repository.Root, arguments);

    /// <summary>Starts the dotnet command in a directory.</summary>
    public static SampleProcess StartDotnetIn(string directory, params string[] arguments) =>
        StartProgramIn(directory, DotnetPath, arguments);

    /// <summary>Starts a program in a directory.</summary>
    public static SampleProcess StartProgramIn(string directory, string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program)
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = directory,
        };
        foreach (var argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        // A program with a host of its own finds the runtime that these tests run on.
        start.Environment["DOTNET_ROOT"] = Path.GetFullPath("../../..", RuntimeEnvironment.GetRuntimeDirectory());

        // The compiler's server takes no pipe with it, and serves all builds. The nodes of a build would outlive it with its pipes.
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["UseSharedCompilation"] = "true";
        return new SampleProcess(Process.Start(start)!);
    }

    /// <summary>Runs a program to its end.</summary>
    public static async Task<SampleResult> RunProgramAsync(string program, params string[] arguments)
    {
        using var process = StartProgramIn(Repository.Root, program, arguments);
        return await process.WaitAsync();
    }

    /// <summary>Runs a sample to its end.</summary>
    public static async Task<SampleResult> RunAsync(string folder, params string[] arguments)
    {
        using var sample = Start(folder, arguments);
        return await sample.WaitAsync();
    }

    /// <summary>Gives the sample its standard input.</summary>
    public async Task WriteInputAsync(string text)
    {
        await _process.StandardInput.WriteAsync(text);
        _process.StandardInput.Close();
    }

    /// <summary>Waits for the end.</summary>
    /// <param name="limit">How long at most; null for a minute.</param>
    public async Task<SampleResult> WaitAsync(TimeSpan? limit = null)
    {
        await _process.WaitForExitAsync().WaitAsync(limit ?? Limit);
        return new SampleResult(_process.ExitCode, await _output.WaitAsync(Limit), await _errors.WaitAsync(Limit));
    }

    /// <summary>Waits until something is so, or the process has ended.</summary>
    public async Task UntilAsync(Func<bool> isSo)
    {
        var start = Stopwatch.GetTimestamp();
        while (!isSo() && !_process.HasExited)
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < Limit, "It has not come to the point that the test waits for.");
            await Task.Delay(1);
        }
    }

    /// <summary>Ends the process at once; nothing in it notices.</summary>
    public void Kill() => _process.Kill();

    /// <summary>Ends the process that this one has started, if there is one. On Linux only, as it looks into /proc.</summary>
    public void KillSecondProcess()
    {
        try
        {
            if (Started() is [var child])
            {
                Kill(child);
            }
        }
        catch (Exception exception) when (exception is IOException or ArgumentException or InvalidOperationException)
        {
            // One of the two is gone already.
        }
    }

    /// <summary>Waits until this process has started some others, and ends one of them. On Linux only, as it looks into /proc.</summary>
    /// <param name="count">How many run at the same time.</param>
    /// <param name="index">The one to end, in the order of their start.</param>
    /// <returns>False if this process has ended before they were seen.</returns>
    public async Task<bool> TryKillStartedAsync(int count, int index)
    {
        var start = Stopwatch.GetTimestamp();
        while (!_process.HasExited)
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < Limit, $"It has not started {count} processes.");
            try
            {
                if (Started() is var started && started.Length >= count)
                {
                    Kill(started[index]);
                    return true;
                }
            }
            catch (Exception exception) when (exception is IOException or ArgumentException or InvalidOperationException)
            {
                // One of the two is gone already.
            }

            await Task.Delay(1);
        }

        return false;
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
        }

        _process.Dispose();
    }

    private static void Kill(int id)
    {
        using var process = Process.GetProcessById(id);
        process.Kill();
    }

    private int[] Started() =>
        [.. File.ReadAllText($"/proc/{_process.Id}/task/{_process.Id}/children").Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(static id => int.Parse(id, CultureInfo.InvariantCulture))];
}
