using System.Runtime.Versioning;

namespace BufferedMessages.Samples.Tests.Running;

/// <summary>The script that checks the models of the protocol, with other programs in the place of Spin and of the compiler.</summary>
[SupportedOSPlatform("linux")]
public sealed class ModelRunTests : IDisposable
{
    private const string Ok = "echo 'State-vector 28 byte, depth reached 9, errors: 0'";
    private const string Bad = "echo 'State-vector 28 byte, depth reached 9, errors: 1'";

    private readonly TemporaryDirectory _programs = new();

    public void Dispose() => _programs.Dispose();

    [LinuxFact]
    public async Task A_run_with_the_expected_result_is_good_and_one_with_another_result_is_not()
    {
        Assert.Equal(0, (await RunAsync(Ok, "quick", "exclusive")).ExitCode);
        Assert.Equal(0, (await RunAsync(Bad, "quick", "hint-only")).ExitCode);
        Assert.Equal(1, (await RunAsync(Bad, "quick", "exclusive")).ExitCode);
        Assert.Equal(1, (await RunAsync(Ok, "quick", "hint-only")).ExitCode);
    }

    [LinuxFact]
    public async Task A_search_that_the_system_kills_has_not_found_the_planted_fault()
    {
        var result = await RunAsync("kill -9 $$", "quick", "hint-only");

        Assert.Equal(1, result.ExitCode);
        Assert.Matches("^hint-only +expected bad got none", result.Output);
    }

    [LinuxFact]
    public async Task A_command_line_without_a_run_is_refused()
    {
        foreach (var (reason, arguments) in new (string, string[])[]
        {
            ("No run of quick has a name that begins with 'spcae'.", ["quick", "spcae"]),
            ("No run of quick has a name that begins with 'laps'.", ["quick", "laps"]),
            ("The scope is quick or full, not 'ful'.", ["ful"]),
        })
        {
            var result = await RunAsync(Ok, arguments);

            Assert.Equal((2, ""), (result.ExitCode, result.Output));
            Assert.Contains(reason, result.Errors, StringComparison.Ordinal);
        }
    }

    /// <summary>Runs the script.</summary>
    /// <param name="search">The command of the program that searches a model.</param>
    /// <param name="arguments">The arguments of the script.</param>
    private async Task<SampleResult> RunAsync(string search, params string[] arguments)
    {
        Write("search", search);
        Write("spin", "exit 0");
        Write("gcc", $"cp \"{_programs.PathOf("search")}\" pan");
        using var script = SampleProcess.StartProgramIn(
            Repository.Root, "env", [$"PATH={_programs.Path}:{Environment.GetEnvironmentVariable("PATH")}", "bash", Repository.PathOf("docs/model/run.sh"), .. arguments]);
        return await script.WaitAsync();
    }

    private void Write(string name, string command)
    {
        File.WriteAllText(_programs.PathOf(name), $"#!/bin/sh\n{command}\n");
        File.SetUnixFileMode(_programs.PathOf(name), UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }
}
