using Shop;

namespace BufferedMessages.Tool.Tests;

/// <summary>Looking changes nothing: not a byte, not a file, not a time.</summary>
public class UntouchedTests
{
    public static TheoryData<string> Looks =>
    [
        "ls {0} -r", "info {0}/orders", "info {0}/ring --json", "schema {0}/orders", "tail {0}/orders -n 3", "tail {0}/ring --name audit --explain", "dump {0}/orders --json", "dump {0}/ring --hex",
        "grep {0}/orders Id==2", "stat {0}/orders {0}/ring --once --interval 1ms", "name ls {0}/orders", "info {0}/cache", "cache ls {0}/cache --values", "cache verify {0}/cache", "verify {0}/orders --all", "verify {0}/ring --all", "verify {0}/cache", "repair {0}/orders", "export {0}/orders - --json",
    ];

    [Theory]
    [MemberData(nameof(Looks))]
    public async Task A_look_leaves_every_byte_as_it_is(string look)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 5);
        QueueOfOrders.Create(folder.PathOf("ring"), 5, new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 65536 });
        using (var cache = Caching.MessageCache.Open<string>(folder.PathOf("cache"), new Caching.MessageCacheOptions { DiskBytes = 1 << 20, SegmentBytes = 65536 }))
        {
            cache.Set("one", new Order(1, "note", []));
        }

        // One name is held by a consumer that is alive, one lease belongs to a producer that is gone.
        using var queue = MessageQueue.Open(folder.PathOf("ring"));
        using var consumer = queue.OpenConsumer<OrderBufferedMessage>("audit");
        using (var other = MessageQueue.Open(folder.PathOf("orders")))
        {
            using var left = other.OpenConsumer<OrderBufferedMessage>("shipping", new ConsumerOptions { Shared = true });
        }

        File.Delete(folder.PathOf("orders/leases/1"));
        var before = FolderContent.Of(folder.Path);

        var run = await ToolRun.InProcessAsync(string.Format(System.Globalization.CultureInfo.InvariantCulture, look, folder.Path).Split(' '));

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.NotEmpty(run.Output);
        Assert.Equal(before, FolderContent.Of(folder.Path));
    }
}
