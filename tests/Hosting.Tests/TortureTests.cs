using System.Diagnostics;
using System.Text.RegularExpressions;

namespace BufferedMessages.Hosting.Tests;

/// <summary>Short runs of the torture: two processes with handlers, kill -9 at every step; and the proof that it finds faults.</summary>
public sealed class TortureTests
{
    // On a busy machine the seconds alone may be over before a process has handled anything.
    private const string Kills = "6";

    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(10);

    [Fact]
    public async Task Killing_processes_with_handlers_loses_nothing_repeats_nothing_unflagged_and_keeps_the_order()
    {
        var (code, output) = await RunAsync("--seconds", "10", "--kills", Kills, "--seed", "4");

        Assert.True(code == 0, output);
    }

    [Theory]
    [InlineData("commit-first", "lost")]
    [InlineData("no-flag", "unflagged")]
    [InlineData("no-order", "disordered")]
    [InlineData("more-attempts", "unparked")]
    public async Task A_planted_fault_is_found(string fault, string count)
    {
        // Whether a kill meets the fault is a matter of time.
        var all = "";
        for (var seed = 4; seed < 16 && !Regex.IsMatch(all, $@"\b{count} [1-9]", RegexOptions.None, Limit); seed++)
        {
            var (code, output) = await RunAsync("--seconds", "3", "--kills", Kills, "--seed", $"{seed}", "--fault", fault);
            Assert.True(code is 0 or 1, output);
            all += output;
        }

        Assert.Matches($@"\b{count} [1-9]", all);
    }

    private static async Task<(int Code, string Output)> RunAsync(params string[] arguments)
    {
        // It is built beside the tests: bin/configuration/framework.
        var framework = new DirectoryInfo(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory));
        var tests = framework.Parent!.Parent!.Parent!.Parent!;
        var program = Path.Combine(tests.FullName, "Hosting.Torture", "bin", framework.Parent.Name, framework.Name, "BufferedMessages.Hosting.Torture.dll");
        using var process = new TestProcess
        {
            StartInfo = new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", ["exec", program, .. arguments])
            {
                UseShellExecute = false,
                RedirectStandardOutput = true,
            },
        };
        process.Start();
        var output = await process.StandardOutput.ReadToEndAsync().WaitAsync(Limit);
        await process.WaitForExitAsync().WaitAsync(Limit);
        return (process.ExitCode, output);
    }
}
