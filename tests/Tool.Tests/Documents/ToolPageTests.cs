using System.Text;
using System.Text.RegularExpressions;
using BufferedMessages.Hosting;
using Shop;

namespace BufferedMessages.Tool.Tests;

/// <summary>The transcripts of docs/tool.md are those of the tool. BUFFEREDMESSAGES_UPDATE_DOCUMENTS=1 writes them anew.</summary>
public partial class ToolPageTests
{
    private const string Page = "docs/tool.md";
    private const string Prompt = "$ ";
    private const string BlockStart = "```console\n";
    private const string BlockEnd = "```\n";

    [Fact]
    public async Task Every_transcript_is_what_the_tool_writes()
    {
        using var folder = new TemporaryFolder();
        using var shop = new ShopFolder(folder.Path);
        var page = Repository.Read(Page);

        var written = await WriteAnewAsync(page, folder.Path);

        if (Environment.GetEnvironmentVariable("BUFFEREDMESSAGES_UPDATE_DOCUMENTS") is "1")
        {
            File.WriteAllText(Repository.PathOf(Page), written);
        }

        Assert.Equal(Normalise(page, folder.Path), written);
    }

    [Fact]
    public void Every_command_is_on_the_page()
    {
        var page = Repository.Read(Page);

        Assert.All(CommandList.Create(), command => Assert.Contains($"`{command.Name}", page, StringComparison.Ordinal));
    }

    // Each line with a prompt is run again, and its answer replaces the lines below it.
    private static async Task<string> WriteAnewAsync(string page, string folder)
    {
        var written = new StringBuilder();
        var at = 0;
        while (page.IndexOf(BlockStart, at, StringComparison.Ordinal) is >= 0 and var start)
        {
            var end = page.IndexOf(BlockEnd, start + BlockStart.Length, StringComparison.Ordinal);
            written.Append(page, at, start + BlockStart.Length - at);
            foreach (var line in page[(start + BlockStart.Length)..end].Split('\n').Where(static line => line.StartsWith(Prompt, StringComparison.Ordinal)))
            {
                written.Append(line).Append('\n').Append(Normalise(await Shell.RunAsync(folder, line[Prompt.Length..]), folder));
            }

            at = end;
        }

        return written.Append(page, at, page.Length - at).ToString();
    }

    private static string Normalise(string text, string folder)
    {
        text = text.Replace(folder, "/var/lib/shop", StringComparison.Ordinal);
        text = ProcessId().Replace(text, "pid 4711");
        text = CacheBytes().Replace(text, "561,351");
        text = VerifyTime().Replace(text, "1 ms");
        text = QueueId().Replace(text, "2f1c0c52-5c3e-4c59-9a53-6a5d4be1b6d7");
        text = Time().Replace(text, static time => time.Value.Contains('.', StringComparison.Ordinal) ? "2026-11-23T04:05:06.7000000Z" : "2026-11-23T04:05:06Z");
        return Age().Replace(text, "lag ${bytes}, 2 min  ");
    }

    [GeneratedRegex(@"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{7})?Z", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Time();

    [GeneratedRegex(@"(?<=B, )[0-9.]+ (us|ms|s)(?=: sound)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex VerifyTime();

    [GeneratedRegex(@"pid \d+", RegexOptions.None, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex ProcessId();

    // A cache prepares its next segment while it is idle, so their number depends on the moment.
    [GeneratedRegex(@"(?<=\ncache    )[0-9,]+", RegexOptions.None, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex CacheBytes();

    [GeneratedRegex("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", RegexOptions.None, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex QueueId();

    [GeneratedRegex(@"lag (?<bytes>[0-9.,]+ \w+), [0-9.]+ \w+ +", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 60_000)]
    private static partial Regex Age();

    /// <summary>The queue of the page, with a consumer that is alive.</summary>
    private sealed class ShopFolder : IDisposable
    {
        private readonly MessageQueue _queue;
        private readonly MessageConsumer<RawMessage> _member;

        public ShopFolder(string folder)
        {
            _queue = MessageQueue.Open(Path.Combine(folder, "orders"));
            using (var producer = _queue.OpenProducer<Order>())
            {
                producer.Publish(new Order(40, "first", [new OrderLine("Bulb", 6)]));
                producer.Publish(new Order(41, "rush", [new OrderLine("Lamp", 2)]));
                producer.Publish(new Order(42, null, []));
            }

            using (var shipping = _queue.OpenConsumer<RawMessage>("shipping"))
            {
                Assert.True(shipping.TryRead(out var delivery));
                delivery.Commit();
            }

            using (var letters = new DeadLetterStore(_queue, "shipping"))
            {
                letters.Add(new Order(38, null, []).ToMessageArray(), new MessageProperties(), new MessageId(_queue.Id, 1, 64), attempts: 3, "timeout of the carrier", exception: null);
                letters.Add(new Order(39, "gift", []).ToMessageArray(), new MessageProperties(), new MessageId(_queue.Id, 1, 128), attempts: 3, "no address", exception: null);
            }

            _member = _queue.OpenConsumer<RawMessage>("billing", new ConsumerOptions { Shared = true });
            File.WriteAllBytes(Path.Combine(folder, "order.message"), new Order(7, "rush", []).ToMessageArray());
            File.WriteAllText(Path.Combine(folder, "new.schema"), QueueOfOrders.Schema<Order>().Text.Replace("1 string Note\n", "1 string Remark\n", StringComparison.Ordinal).Replace("0 i32 Id", "0 i64 Id", StringComparison.Ordinal));
            using var cache = Caching.MessageCache.Open<string>(Path.Combine(folder, "pages"), new Caching.MessageCacheOptions { DiskBytes = 1 << 20, SegmentBytes = 65536 });
            cache.Set("order/41", new Order(41, "rush", []));
            cache.Set("logo", "PNG"u8);
        }

        public void Dispose()
        {
            _member.Dispose();
            _queue.Dispose();
        }
    }
}
