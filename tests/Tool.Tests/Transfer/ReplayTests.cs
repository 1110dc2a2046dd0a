using Shop;

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
        Assert.StartsWith("Both are the same queue, or copies of its folder, which have the same id.", run.Errors, StringComparison.Ordinal);
        Assert.Equal(positions.Count, (await ToolRun.InProcessAsync("dump", folder.PathOf("orders"))).Lines.Length);
    }

    [Fact]
    public async Task A_message_that_a_condition_cannot_read_is_said_and_ends_a_replay_with_1()
    {
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("orders")))
        using (var producer = queue.OpenProducer(QueueOfOrders.Schema<Order>(), verify: false))
        {
            producer.Publish(new byte[40]);
            producer.Publish(new Order(2, Note: null, []).ToMessageArray());
        }

        var run = await ToolRun.InProcessAsync("replay", folder.PathOf("orders"), folder.PathOf("copy"), "--create", "--where", "Id == 2");

        Assert.Equal((1, "1 message could not be compared: not as the schema says.\n"), (run.Code, run.Errors));
        Assert.Single((await ToolRun.InProcessAsync("dump", folder.PathOf("copy"))).Lines);
    }
}
