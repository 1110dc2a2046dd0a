using Shop;

namespace BufferedMessages.Tool.Tests;

/// <summary>Copies in a queue with a flush mode are on the disk when the command ends with 0.</summary>
public sealed class FlushedDestinationTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("import", "orders.bmx")]
    [InlineData("replay", "orders")]
    public async Task A_copy_does_not_end_while_an_unfinished_message_keeps_it_from_the_disk(string command, string source)
    {
        QueueOfOrders.Create(_folder.PathOf("orders"), 3);
        Assert.Equal(0, (await ToolRun.InProcessAsync("export", _folder.PathOf("orders"), _folder.PathOf("orders.bmx"))).Code);
        using var queue = MessageQueue.Open(_folder.PathOf("copy"), new MessageQueueOptions { Flush = FlushMode.Interval });
        using var writing = queue.OpenProducer(QueueOfOrders.Schema<Order>(), verify: false);
        HoldClaim(writing);
        using var interrupted = new CancellationTokenSource();

        var run = Task.Run(() => ToolRun.InProcessAsync("", hasColors: false, interrupted.Token, command, _folder.PathOf(source), _folder.PathOf("copy")), CancellationToken.None);
        Assert.True(SpinWait.SpinUntil(() => run.IsCompleted || queue.GetStatistics().Producers.Sum(static producer => producer.Messages) == 3, Limit));
        await interrupted.CancelAsync();
        var copy = await run;

        Assert.Equal((2, ""), (copy.Code, copy.Output));
        Assert.StartsWith("3 messages ", copy.Errors, StringComparison.Ordinal);
        Assert.EndsWith("Interrupted.\n", copy.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public void A_command_that_goes_on_after_the_last_copy_waits_for_the_disk_too()
    {
        using var queue = MessageQueue.Open(_folder.PathOf("copy"), new MessageQueueOptions { Flush = FlushMode.Interval });
        using var writing = queue.OpenProducer(QueueOfOrders.Schema<Order>(), verify: false);
        HoldClaim(writing);
        using var console = ToolConsole.Silent();
        using var call = Calls.Of(console);
        using var destination = Destination.Open(call, queue.Path, isCreated: false, new MessageQueueOptions(), queue.Content!);

        // The wait ends by the token alone.
        Assert.Throws<OperationCanceledException>(() => destination.AwaitDisk(new CancellationToken(canceled: true)));
    }

    private static void HoldClaim(MessageProducer producer) => producer.Claim(100).Span.Clear();
}
