namespace BufferedMessages.Samples.Tests.Running;

/// <summary>The programs of the repository that measure and torture.</summary>
public class RunnerHelpTests
{
    public static TheoryData<string> Folders =>
        [.. Repository.Files("benchmarks", "*.csproj").Concat(Repository.Files("tests", "*.csproj").Where(static path => File.ReadAllText(path).Contains("Shared/Runner.props", StringComparison.Ordinal)))
            .Select(static path => Path.GetRelativePath(Repository.Root, Path.GetDirectoryName(path)!).Replace('\\', '/'))];

    [Theory]
    [MemberData(nameof(Folders))]
    public async Task Help_has_an_example(string folder)
    {
        var help = (await RunAsync(folder, "--help")).Succeeded();
        var briefly = (await RunAsync(folder, "-h")).Succeeded();

        Assert.Contains($"  dotnet run -c Release --project {folder}", help.Output, StringComparison.Ordinal);
        Assert.Equal(help.Output, briefly.Output);
    }

    [Theory]
    [MemberData(nameof(Folders))]
    public async Task An_option_that_does_not_exist_is_named(string folder)
    {
        var result = await RunAsync(folder, "--no-such-option");

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("no-such-option", result.Errors + result.Output, StringComparison.Ordinal);
    }

    [LinuxFact]
    public Task Ctrl_C_ends_a_session_and_its_processes_and_leaves_no_files() => RequireNoFilesAfterCtrlC("latency");

    [LinuxFact]
    public async Task Ctrl_C_ends_a_session_without_other_processes_and_leaves_no_files()
    {
        foreach (var session in (string[])["segments", "publish", "field"])
        {
            await RequireNoFilesAfterCtrlC(session);
        }
    }

    [LinuxFact]
    public async Task Ctrl_C_of_a_terminal_which_all_processes_get_leaves_no_files_of_the_peers()
    {
        // A group of processes of its own, as a terminal makes it.
        using var runner = SampleProcess.StartProgramIn(
            Repository.Root, "setsid", "env", "--default-signal=INT", SampleProcess.DotnetPath, ProgramOf("benchmarks/Toolkit.Peers"), "--workload", "queues");
        var files = Path.Combine("/dev/shm", $"toolkit-peers-{runner.Id}");
        await runner.UntilAsync(() => HasReader(files));
        await Shell.RunAsync($"kill -INT -{runner.Id}", Repository.Root);
        var result = await runner.WaitAsync();

        Assert.Equal(130, result.ExitCode);
        Assert.Contains("Stopped.", result.Errors, StringComparison.Ordinal);
        Assert.False(Directory.Exists(files));

        // The other process has opened its queue.
        static bool HasReader(string folder)
        {
            var queue = Directory.Exists(folder) ? Directory.EnumerateDirectories(folder, "there", SearchOption.AllDirectories).FirstOrDefault(MessageQueue.Exists) : null;
            using var looked = queue is null ? null : MessageQueue.OpenReadOnly(queue);
            return looked?.GetStatistics().Consumers.Count > 0;
        }
    }

    [LinuxFact]
    public async Task Ctrl_C_ends_the_peers_that_are_threads_of_one_process()
    {
        using var runner = SampleProcess.StartProgramIn(
            Repository.Root, "env", "--default-signal=INT", SampleProcess.DotnetPath, ProgramOf("benchmarks/Toolkit.Peers"), "--workload", "channels");
        var files = Path.Combine("/dev/shm", $"toolkit-peers-{runner.Id}");
        await runner.UntilAsync(() => Directory.Exists(files) && Directory.EnumerateDirectories(files).Any());
        await Shell.RunAsync($"kill -INT {runner.Id}", Repository.Root);
        var result = await runner.WaitAsync();

        Assert.Equal(130, result.ExitCode);
        Assert.Contains("Stopped.", result.Errors, StringComparison.Ordinal);
        Assert.False(Directory.Exists(files));
    }

    [LinuxFact]
    public async Task Ctrl_C_ends_the_builds_that_are_measured_and_leaves_no_project()
    {
        using var directory = new TemporaryDirectory();
        using var runner = SampleProcess.StartProgramIn(
            Repository.Root, "env", "--default-signal=INT", $"TMPDIR={directory.Path}", SampleProcess.DotnetPath, ProgramOf("benchmarks/Toolkit.Benchmarks"), "--build-time", "1");
        await runner.UntilAsync(HasProject);
        await Shell.RunAsync($"kill -INT {runner.Id}", Repository.Root);
        var result = await runner.WaitAsync();

        Assert.Equal(130, result.ExitCode);
        Assert.Contains("Stopped.", result.Errors, StringComparison.Ordinal);
        Assert.False(HasProject());

        bool HasProject() => Directory.EnumerateDirectories(directory.Path, "buffered-messages-build-*").Any();
    }

    [Theory]
    [InlineData("benchmarks/Toolkit.Caching", "--bytes", "200", "100 or 1024")]
    [InlineData("benchmarks/Toolkit.Caching", "--ratio", "3", "0.5, 4 or 10")]
    [InlineData("benchmarks/Toolkit.Caching", "rates", "--quick", "no use for --quick")]
    [InlineData("benchmarks/Toolkit.Hosting", "--rounds=3", "requests", "no use for --rounds")]
    [InlineData("tests/CrossProcess", "torture", "--seconds=0", "from 1 on")]
    [InlineData("benchmarks/Toolkit.Cold", "--ways", "/nowhere", "does not exist")]
    [InlineData("benchmarks/Toolkit.Benchmarks", "--build-time", "0", "from 1 on")]
    [InlineData("benchmarks/Toolkit.Benchmarks", "--build-time", "many", "from 1 on")]
    public async Task A_value_that_cannot_be_measured_is_refused(string folder, string option, string value, string reason)
    {
        var result = await RunAsync(folder, option, value);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(reason, result.Errors, StringComparison.Ordinal);
        Assert.Empty(result.Output);
    }

    [Theory]
    [InlineData("Leave '--job' out", "--turns", "Order", "--job", "short")]
    [InlineData("Leave one of them out", "--turns", "Order", "--build-time", "1")]
    [InlineData("Leave --results out", "--turns", "Order", "--results", "results")]
    [InlineData("Leave --results out", "--build-time", "1", "--results", "results")]
    [InlineData("No benchmark was run", "--filter", "*.NoSuchBenchmarks.*")]
    public async Task Benchmarks_that_cannot_be_measured_are_refused(string reason, params string[] arguments)
    {
        var result = await RunAsync("benchmarks/Toolkit.Benchmarks", arguments);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(reason, result.Errors, StringComparison.Ordinal);
    }

    private static async Task RequireNoFilesAfterCtrlC(string session)
    {
        using var directory = new TemporaryDirectory();

        // A shell that runs these tests in the background has made its processes ignore the signal.
        using var runner = SampleProcess.StartProgramIn(
            Repository.Root, "env", "--default-signal=INT", SampleProcess.DotnetPath, ProgramOf("benchmarks/Toolkit.Sessions"), session, "--directory", directory.Path, "--messages", "20", "--rounds", "100000");
        await runner.UntilAsync(() => Directory.EnumerateFileSystemEntries(directory.Path).Any());
        await Shell.RunAsync($"kill -INT {runner.Id}", directory.Path);
        var result = await runner.WaitAsync();

        Assert.Equal(130, result.ExitCode);
        Assert.Contains("Stopped.", result.Errors, StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(directory.Path));
    }

    private static async Task<SampleResult> RunAsync(string folder, params string[] arguments)
    {
        using var runner = SampleProcess.StartDotnet([ProgramOf(folder), .. arguments]);
        return await runner.WaitAsync();
    }

    // The name of an assembly is that of its project.
    private static string ProgramOf(string folder)
    {
        var project = Path.GetFileNameWithoutExtension(Assert.Single(Directory.GetFiles(Repository.PathOf(folder), "*.csproj")));
        return Repository.PathOf($"{folder}/bin/{Repository.Configuration}/net10.0/{project}.dll");
    }
}
