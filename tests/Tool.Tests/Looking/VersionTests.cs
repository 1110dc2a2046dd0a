namespace BufferedMessages.Tool.Tests;

/// <summary>Queues whose producers know different versions of a message: the newest stored one shows all messages.</summary>
public class VersionTests
{
    [Fact]
    public async Task Members_that_a_writer_did_not_know_are_null_or_zero()
    {
        using var folder = new TemporaryFolder();
        await PublishAsync(folder, version: 1, first: 1, count: 2);
        var before = await ToolRun.InProcessAsync("tail", folder.PathOf("trades"), "--json");
        await PublishAsync(folder, version: 2, first: 3, count: 1);
        await PublishAsync(folder, version: 1, first: 4, count: 1);

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("trades"), "--json");

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.All(before.Lines, static line => Assert.DoesNotContain("Quantity", line, StringComparison.Ordinal));
        Assert.Equal(4, run.Lines.Length);
        Assert.All([run.Lines[0], run.Lines[1], run.Lines[3]], static line => Assert.EndsWith(",\"Quantity\":0,\"Venue\":null}}", line, StringComparison.Ordinal));
        Assert.DoesNotContain("\"Venue\":null", run.Lines[2], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Conditions_and_templates_know_the_members_of_the_newest_version()
    {
        using var folder = new TemporaryFolder();
        await PublishAsync(folder, version: 1, first: 1, count: 2);
        await PublishAsync(folder, version: 2, first: 3, count: 2);

        var old = await ToolRun.InProcessAsync("grep", folder.PathOf("trades"), "Venue == null", "--format", "{Id}");
        var all = await ToolRun.InProcessAsync("grep", folder.PathOf("trades"), "Quantity >= 0", "--count");

        Assert.Equal(["1", "2"], old.Lines);
        Assert.Equal("4\n", all.Output);
    }

    [Fact]
    public async Task A_version_that_comes_while_messages_are_followed_shows_its_first_message_already()
    {
        using var folder = new TemporaryFolder();
        await PublishAsync(folder, version: 1, first: 1, count: 1);
        using var process = ToolRun.Start(folder.Path, "tail", "./trades", "-f", "--json");
        Assert.DoesNotContain("Venue", await process.StandardOutput.ReadLineAsync().WaitAsync(TimeSpan.FromSeconds(60)), StringComparison.Ordinal);

        await PublishAsync(folder, version: 2, first: 2, count: 1);

        Assert.Contains("\"Venue\":\"", await process.StandardOutput.ReadLineAsync().WaitAsync(TimeSpan.FromSeconds(60)), StringComparison.Ordinal);
        await Signals.InterruptAsync(process);
        await process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(60));
    }

    private static async Task PublishAsync(TemporaryFolder folder, int version, int first, int count)
    {
        using var process = ToolRun.StartDotnet(Repository.CrossProcess, folder.Path, "PublishTrades", folder.PathOf("trades"), $"{version}", $"{first}", $"{count}");
        Assert.EndsWith("published\n", await process.StandardOutput.ReadToEndAsync(), StringComparison.Ordinal);
        await process.WaitForExitAsync();
    }
}
