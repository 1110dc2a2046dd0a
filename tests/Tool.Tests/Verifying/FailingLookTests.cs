using System.Diagnostics;
using BufferedMessages.TestKit;

namespace BufferedMessages.Tool.Tests;

/// <summary>The system cannot say for a moment whether a file is there, as on a failing disk. Then nothing is damaged, and nothing is made anew: the file may be whole.</summary>
public sealed class FailingLookTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(5);

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [StraceTheory]
    [InlineData("durable-many-messages", "00000000000000000000.segment", "repair --apply")]
    [InlineData("durable-many-messages", "00000000000000000000.segment", "repair --rebuild-control --apply")]
    [InlineData("durable-many-messages", "control", "repair --rebuild-control --apply")]
    [InlineData("bounded-many-messages", "ring", "repair --apply")]
    public async Task A_sound_queue_stays_as_it_is_when_any_look_at_a_file_fails(string name, string file, string command)
    {
        var corpus = Repository.PathOf($"tests/Corpus/1/queues/{name}");
        var messages = await File.ReadAllTextAsync(corpus + ".jsonl");
        for (var look = 1; ; look++)
        {
            var queue = _folder.Copy(corpus, $"{name}-{look}");
            var (code, output, hasFailed) = await RunAsync(look, Path.Combine(queue, file), [.. command.Split(' '), queue]);
            if (!hasFailed)
            {
                Assert.True(look > 1, "No call failed.");
                break;
            }

            var after = await ToolRun.InProcessAsync("tail", queue, "--json", "--from", "earliest");
            Assert.True(messages == after.Output, $"look {look} ended with {code}: {output}");
            Assert.False(Directory.Exists(Path.Combine(queue, "lost+found")) && !command.Contains("rebuild", StringComparison.Ordinal), $"look {look}: {output}");
            Assert.NotEqual(1, code);
        }
    }

    [FileTheory("/proc/version")]
    [InlineData("durable-many-messages", "repair", "--apply")]
    [InlineData("bounded-many-messages", "repair", "--apply")]
    [InlineData("bounded-many-messages", "verify")]
    public async Task A_folder_of_leases_that_cannot_be_looked_at_is_not_damaged(string name, params string[] command)
    {
        var queue = _folder.Copy(Repository.PathOf($"tests/Corpus/1/queues/{name}"), name);
        using var hiding = new HiddenPath(Path.Combine(queue, "leases"));

        var run = await ToolRun.InProcessAsync([.. command, queue]);

        Assert.True(run.Code == 2, run.Output + run.Errors);
    }

    // One look at the file fails; the log says whether there were as many.
    private async Task<(int Code, string Output, bool HasFailed)> RunAsync(int look, string file, string[] arguments)
    {
        var log = _folder.PathOf("log");
        var start = new ProcessStartInfo(
            StraceTheoryAttribute.Program,
            [
                "-f", "--seccomp-bpf", "-qq", "-o", log, "-P", file, "-e", "trace=?lstat,?newfstatat", "-e", $"inject=?lstat,?newfstatat:error=EIO:when={look}",
                Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", Repository.Tool, .. arguments,
            ])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = new TestProcess { StartInfo = start };
        process.Start();
        var errors = process.StandardError.ReadToEndAsync();
        var output = await process.StandardOutput.ReadToEndAsync().WaitAsync(Limit);
        await process.WaitForExitAsync().WaitAsync(Limit);
        return (process.ExitCode, output + await errors, (await File.ReadAllTextAsync(log)).Contains("(INJECTED)", StringComparison.Ordinal));
    }
}
