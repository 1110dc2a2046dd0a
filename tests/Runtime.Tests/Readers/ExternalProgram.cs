using System.Diagnostics;
using BufferedMessages.TestKit;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>Programs of other languages that the tests run.</summary>
internal static class ExternalProgram
{
    private static readonly TimeSpan Timeout = TimeSpan.FromMinutes(5);

    /// <summary>Runs a program to its end.</summary>
    /// <returns>The standard output.</returns>
    /// <exception cref="InvalidOperationException">It ended with another code than 0.</exception>
    public static string Run(string program, params IEnumerable<string> arguments)
    {
        var (exitCode, output, errors) = TryRun(program, arguments);
        return exitCode == 0 ? output : throw new InvalidOperationException($"{program} {string.Join(' ', arguments)} ended with code {exitCode}:\n{errors}\n{output}");
    }

    /// <summary>Runs a program to its end, and gives the code with which it ended, the standard output and the standard error.</summary>
    public static (int ExitCode, string Output, string Errors) TryRun(string program, params IEnumerable<string> arguments)
    {
        using var process = Start(program, arguments);
        var errors = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEndAsync();
        if (!process.WaitForExit(Timeout))
        {
            throw new TimeoutException($"{program} did not end within {Timeout}.");
        }

        return (process.ExitCode, output.GetAwaiter().GetResult(), errors.GetAwaiter().GetResult());
    }

    /// <summary>Whether a program can be started and ends well.</summary>
    public static bool Works(string program, params IEnumerable<string> arguments)
    {
        try
        {
            return TryRun(program, arguments).ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }

    /// <summary>Starts a program whose output is read while it runs.</summary>
    public static TestProcess Start(string program, params IEnumerable<string> arguments)
    {
        var process = new TestProcess
        {
            StartInfo = new ProcessStartInfo(program, arguments)
            {
                UseShellExecute = false,
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                StandardOutputEncoding = System.Text.Encoding.UTF8,
            },
        };
        process.Start();
        return process;
    }

    /// <summary>Reads the next line of a program that runs; null if it has ended, or was killed since it printed none for too long.</summary>
    public static string? ReadLine(TestProcess process)
    {
        using var limit = new Timer(static silent => ((TestProcess)silent!).Kill(), process, Timeout, System.Threading.Timeout.InfiniteTimeSpan);
        return process.StandardOutput.ReadLine();
    }
}
