using System.Text.RegularExpressions;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>The tutorial, step by step, as a reader follows it. Its commands and its program are taken from the page.</summary>
public sealed partial class TutorialTests : IDisposable
{
    private const string Page = "docs/tutorial.md";

    private readonly PackageConsumer _consumer = new();

    public void Dispose() => _consumer.Dispose();

    [Fact]
    public void Its_program_is_that_of_the_readme() => Assert.Equal(BlocksOf("README.md", "csharp"), BlocksOf(Page, "csharp"));

    [Fact]
    public async Task Its_commands_tell_NuGet_where_the_packages_are()
    {
        var packages = _consumer.PathOf("packages");
        Directory.CreateDirectory(packages);

        await FollowAsync(BlocksOf(Page, "")[0].Replace("PATH", packages, StringComparison.Ordinal));

        Assert.Contains($"\"{packages}\"", await File.ReadAllTextAsync(_consumer.PathOf("nuget.config")), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_reader_that_follows_it_reads_a_message_in_another_process_kills_it_and_looks_into_the_queue()
    {
        await _consumer.WriteFeedAsync();
        var commands = BlocksOf(Page, "bash");
        await FollowAsync(commands[0]);
        _consumer.Write("Shop/Program.cs", BlocksOf(Page, "csharp").Single());
        (await _consumer.DotnetAsync("build", "Shop", "-warnaserror")).Succeeded();

        using (var consumer = Start())
        {
            await PublishAsync();
            await ReadAllAsync();
            consumer.Kill();
            Assert.Equal("7: rush", (await consumer.WaitAsync()).LastLine);
        }

        await PublishAsync();
        await PublishAsync();
        using (var consumer = Start())
        {
            await ReadAllAsync();
            consumer.Kill();
            Assert.Equal(["7: rush", "7: rush"], (await consumer.WaitAsync()).Lines);
        }

        var looks = commands[2].Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal("dotnet tool install --global BufferedMessages.Tool", looks[0]);
        var tool = await InstalledTool.GetProgramAsync();
        Assert.Contains("message Order", (await LookAsync(tool, looks[1])).Output, StringComparison.Ordinal);
        Assert.Contains($"```\n{(await LookAsync(tool, looks[2])).Output}```\n", Repository.Read(Page), StringComparison.Ordinal);
    }

    // `dotnet` and `cd` are all that it has. The global folder for tools is not a test's to change.
    private async Task FollowAsync(string commands)
    {
        var folder = "";
        foreach (var command in commands.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            if (command.StartsWith("cd ", StringComparison.Ordinal))
            {
                folder = command["cd ".Length..];
                continue;
            }

            Assert.StartsWith("dotnet ", command, StringComparison.Ordinal);
            using var process = SampleProcess.StartDotnetIn(_consumer.PathOf(folder), command.Split(' ')[1..]);
            (await process.WaitAsync(PackageConsumer.Limit)).Succeeded();
        }
    }

    private SampleProcess Start(params string[] arguments) =>
        SampleProcess.StartDotnetIn(_consumer.PathOf("Shop"), ["bin/Debug/net10.0/Shop.dll", .. arguments]);

    private async Task PublishAsync()
    {
        using var producer = Start("publish");
        (await producer.WaitAsync()).Succeeded();
    }

    private async Task<SampleResult> LookAsync(string tool, string command)
    {
        using var look = SampleProcess.StartProgramIn(_consumer.PathOf("Shop"), tool, command.Split(' ')[1..]);
        return (await look.WaitAsync()).Succeeded();
    }

    // The consumer has committed everything, which it does after it has shown a message.
    private async Task ReadAllAsync()
    {
        using var limit = new CancellationTokenSource(PackageConsumer.Limit);
        using var queue = MessageQueue.OpenReadOnly(_consumer.PathOf("Shop/orders"));
        while (queue.GetStatistics().Consumers is not [{ LagBytes: 0 }])
        {
            await Task.Delay(TimeSpan.FromMilliseconds(20), limit.Token);
        }
    }

    private static string[] BlocksOf(string page, string language) =>
        [.. Block().Matches(Repository.Read(page)).Where(block => block.Groups["language"].Value == language).Select(static block => block.Groups["text"].Value)];

    [GeneratedRegex("^```(?<language>[a-z]*)\n(?<text>.*?)^```\n", RegexOptions.Multiline | RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Block();
}
