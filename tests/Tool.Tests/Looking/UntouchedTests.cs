using System.Globalization;
using Shop;

namespace BufferedMessages.Tool.Tests;

/// <summary>Looking changes nothing: not a byte, not a file, not a time.</summary>
public class UntouchedTests
{
    public static TheoryData<string> Looks =>
    [
        "ls {0} -r", "schema diff {0}/orders {0}/ring", "grep {0}/ring Id==2 --json", "info {0}/orders", "info {0}/ring --json", "schema {0}/orders", "tail {0}/orders -n 3", "tail {0}/ring --name audit --explain", "dump {0}/orders --json", "dump {0}/ring --hex",
        "grep {0}/orders Id==2", "stat {0}/orders {0}/ring --once --interval 1ms", "name ls {0}/orders", "info {0}/cache", "cache ls {0}/cache --values", "cache verify {0}/cache", "verify {0}/orders --all", "verify {0}/ring --all", "verify {0}/cache", "repair {0}/orders", "export {0}/orders - --json",
    ];

    [Theory]
    [MemberData(nameof(Looks))]
    public async Task A_look_leaves_every_byte_as_it_is(string look)
    {
        using var folder = new TemporaryFolder();
        using var living = new Living(folder);
        var before = FolderContent.Of(folder.Path);

        var run = await ToolRun.InProcessAsync([.. look.Split(' ').Select(word => string.Format(CultureInfo.InvariantCulture, word, folder.Path))]);

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.NotEmpty(run.Output);
        Assert.Equal(before, FolderContent.Of(folder.Path));
    }

    [Fact]
    public async Task The_page_leaves_every_byte_as_it_is()
    {
        using var folder = new TemporaryFolder();
        using var living = new Living(folder);
        await using var page = await ServedPage.StartProcessAsync(folder.Path);
        var before = FolderContent.Of(folder.Path);

        foreach (var queue in new[] { "orders", "ring" })
        {
            var path = $"path={Uri.EscapeDataString(folder.PathOf(queue))}";
            foreach (var address in new[] { "queue", "queue/schema", "queue/dead", "queue/messages" })
            {
                await page.GetAsync($"/api/{address}?{path}");
            }

            using var events = await page.EventsAsync($"{path}&follow=latest");
            await events.NextAsync("sample");
            await events.NextAsync("sample");
        }

        Assert.Equal(before, FolderContent.Of(folder.Path));
    }

    [TerminalFact]
    public async Task The_view_in_the_terminal_leaves_every_byte_as_it_is()
    {
        using var folder = new TemporaryFolder();
        using var living = new Living(folder);
        var before = FolderContent.Of(folder.Path);

        using var session = new TerminalSession(folder.Path, "top . --interval 50ms", (30, 130));
        await session.ReadUntilAsync("orders");
        await session.PressAsync("\r");
        await session.ReadUntilAsync("LAST MESSAGES");
        await session.PressAsync("q");

        Assert.Equal(0, await session.EndAsync());
        Assert.Equal(before, FolderContent.Of(folder.Path));
    }

    /// <summary>Two queues and a cache with living participants of all kinds: a producer, a consumer and a member of a group. One lease belongs to a participant that is gone.</summary>
    private sealed class Living : IDisposable
    {
        private readonly MessageQueue _orders;
        private readonly MessageQueue _ring;
        private readonly MessageConsumer<OrderBufferedMessage> _member;
        private readonly MessageConsumer<OrderBufferedMessage> _consumer;
        private readonly MessageProducer<Order> _producer;

        public Living(TemporaryFolder folder)
        {
            QueueOfOrders.Create(folder.PathOf("orders"), 5, new MessageQueueOptions { SegmentBytes = 65536 });
            QueueOfOrders.Create(folder.PathOf("ring"), 5, new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 65536 });
            using (var cache = Caching.MessageCache.Open<string>(folder.PathOf("cache"), new Caching.MessageCacheOptions { DiskBytes = 1 << 20, SegmentBytes = 65536 }))
            {
                cache.Set("one", new Order(1, "note", []));
            }

            using (var other = MessageQueue.Open(folder.PathOf("orders")))
            {
                using var left = other.OpenConsumer<OrderBufferedMessage>("shipping", new ConsumerOptions { Shared = true });
            }

            File.Delete(folder.PathOf("orders/leases/1"));
            _orders = MessageQueue.Open(folder.PathOf("orders"));
            _ring = MessageQueue.Open(folder.PathOf("ring"));
            _member = _orders.OpenConsumer<OrderBufferedMessage>("billing", new ConsumerOptions { Shared = true });
            _consumer = _ring.OpenConsumer<OrderBufferedMessage>("audit");
            _producer = _ring.OpenProducer<Order>();
        }

        public void Dispose()
        {
            _producer.Dispose();
            _consumer.Dispose();
            _member.Dispose();
            _ring.Dispose();
            _orders.Dispose();
        }
    }
}
