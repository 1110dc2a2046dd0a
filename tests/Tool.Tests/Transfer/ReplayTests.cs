namespace BufferedMessages.Tool.Tests;

public class ReplayTests
{
    [Fact]
    public async Task A_replay_of_a_queue_into_itself_is_refused_and_publishes_nothing()
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 2);

        var run = await ToolRun.InProcessAsync("replay", folder.PathOf("orders"), folder.PathOf("orders"));

        Assert.Equal(2, run.Code);
        Assert.StartsWith("Both are the same queue, or copies of its folder, which have one id.", run.Errors, StringComparison.Ordinal);
        Assert.Equal(positions.Count, (await ToolRun.InProcessAsync("dump", folder.PathOf("orders"))).Lines.Length);
    }
}
