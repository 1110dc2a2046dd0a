using System.Net;
using System.Text.Json;

namespace BufferedMessages.Tool.Tests;

public class ServeTests
{
    private const int LargeNote = 500_000;

    [Fact]
    public async Task The_facts_of_a_queue_are_those_of_info()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        await using var page = await ServedPage.StartAsync(folder.Path);

        var facts = await page.Client.GetStringAsync(new Uri(page.Address, AddressOf("queue", folder.PathOf("orders"))));

        Assert.Equal((await ToolRun.InProcessAsync("info", folder.PathOf("orders"), "--json")).Output.TrimEnd(), facts);
    }

    [Fact]
    public async Task Messages_are_those_of_tail_with_their_bytes_in_hex()
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 3);
        await using var page = await ServedPage.StartAsync(folder.Path);

        var answer = await page.GetAsync(AddressOf("queue/messages", folder.PathOf("orders")));

        var texts = (await ToolRun.InProcessAsync("tail", folder.PathOf("orders"))).Lines.Select(static line => line[(line.IndexOf("  ", StringComparison.Ordinal) + 2)..]);
        var records = answer.GetProperty("records").EnumerateArray().ToList();
        Assert.Equal(texts, records.Select(static record => record.GetProperty("text").GetString()));
        Assert.Equal(positions, PositionsOf(answer));
        Assert.StartsWith("     0  03 00 01 00 ", records[0].GetProperty("hex").GetString(), StringComparison.Ordinal);
        Assert.Equal(positions, PositionsOf(await page.GetAsync($"{AddressOf("queue/messages", folder.PathOf("orders"))}&before={long.MaxValue}")));
    }

    [Fact]
    public async Task Pages_of_messages_lead_from_the_last_one_to_the_first_one_and_back()
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 60);
        await using var page = await ServedPage.StartAsync(folder.Path);
        var address = AddressOf("queue/messages", folder.PathOf("orders"));

        var last = await page.GetAsync(address);
        var older = await page.GetAsync($"{address}&before={PositionsOf(last)[0]}");
        var oldest = await page.GetAsync($"{address}&before={PositionsOf(older)[0]}");
        var newer = await page.GetAsync($"{address}&from={oldest.GetProperty("next")}");
        var end = await page.GetAsync($"{address}&from={last.GetProperty("next")}");

        Assert.Equal(positions.Skip(35), PositionsOf(last));
        Assert.Equal(positions.Skip(10).Take(25), PositionsOf(older));
        Assert.Equal(positions.Take(10), PositionsOf(oldest));
        Assert.Equal(PositionsOf(older), PositionsOf(newer));
        Assert.Empty(PositionsOf(end));
    }

    [Theory]
    [InlineData("earliest", 0)]
    [InlineData("-1h", 0)]
    [InlineData("second", 1)]
    [InlineData("latest", 3)]
    public async Task A_place_is_a_word_a_time_or_a_position(string place, int first)
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 3);
        await using var page = await ServedPage.StartAsync(folder.Path);

        var answer = await page.GetAsync($"{AddressOf("queue/messages", folder.PathOf("orders"))}&from={(place is "second" ? $"{positions[1]}" : place)}");

        Assert.Equal(positions.Skip(first), PositionsOf(answer));
    }

    [Theory]
    [InlineData("soon", HttpStatusCode.BadRequest, "is not a place")]
    [InlineData("3", HttpStatusCode.UnprocessableEntity, "No message begins at position 3")]
    public async Task A_place_that_is_none_gets_a_sentence(string place, HttpStatusCode status, string sentence)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        await using var page = await ServedPage.StartAsync(folder.Path);

        await AssertRefusedAsync(status, sentence, await page.SendAsync(HttpMethod.Get, $"{AddressOf("queue/messages", folder.PathOf("orders"))}&from={place}"));
    }

    [Fact]
    public async Task A_page_that_follows_gets_the_message_of_another_process()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        await using var page = await ServedPage.StartAsync(folder.Path);
        using var events = await page.EventsAsync($"path={Uri.EscapeDataString(folder.PathOf("orders"))}&follow=latest");
        await events.NextAsync("sample");

        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 1);

        var news = await events.NextAsync("records");
        Assert.Equal(positions, PositionsOf(news));
        Assert.Equal(0, news.GetProperty("skippedBytes").GetInt64());
    }

    [Fact]
    public async Task Samples_have_facts_rates_and_the_last_minutes()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        await using var page = await ServedPage.StartAsync(folder.Path);
        using var events = await page.EventsAsync("");

        var history = await events.NextAsync("history");
        var sample = await events.NextAsync("sample");
        var next = await events.NextAsync("sample");

        Assert.Equal(folder.PathOf("orders"), history.GetProperty("queues")[0].GetProperty("path").GetString());

        // More than the first one on a busy machine.
        Assert.InRange(history.GetProperty("queues")[0].GetProperty("messages").GetArrayLength(), 1, 30);
        Assert.Equal("orders", sample.GetProperty("queues")[0].GetProperty("name").GetString());
        Assert.Equal(0, sample.GetProperty("queues")[0].GetProperty("rates").GetProperty("messagesPerSecond").GetDouble());

        // A page gets the newest sample, and none that it missed.
        Assert.True(next.GetProperty("number").GetInt64() > sample.GetProperty("number").GetInt64());
    }

    [Fact]
    public async Task The_page_answers_while_one_of_a_hundred_queues_is_at_full_speed()
    {
        using var folder = new TemporaryFolder();
        for (var i = 0; i < 99; i++)
        {
            QueueOfOrders.Create(folder.PathOf($"shop/orders-{i:00}"), 2, new MessageQueueOptions { SegmentBytes = 65536 });
        }

        await using var busy = new BusyQueue(folder.PathOf("ticks"));
        await using var page = await ServedPage.StartProcessAsync(folder.Path);
        var path = Uri.EscapeDataString(busy.Path);
        using var all = await page.EventsAsync("");
        using var followed = await page.EventsAsync($"path={path}&follow=latest");

        for (var round = 0; round < 3; round++)
        {
            await SeeRateAsync();
            Assert.True((await followed.NextAsync("records")).GetProperty("skippedBytes").GetInt64() >= 0);
            Assert.Equal(busy.Path, (await page.GetAsync($"/api/queue?path={path}")).GetProperty("path").GetString());
        }

        // The messages of many of these answers are overtaken while they are looked for.
        for (var answer = 0; answer < 50; answer++)
        {
            Assert.True((await page.GetAsync($"/api/queue/messages?path={path}")).GetProperty("publishedPosition").GetInt64() > 0);
        }

        while ((await followed.NextAsync("records")).GetProperty("skippedBytes").GetInt64() == 0)
        {
            // The page keeps up for a while.
        }

        // The rate is 0 if the producer had no time of the processors between two samples.
        async Task SeeRateAsync()
        {
            var (rate, deadline) = (0.0, Environment.TickCount64 + 60_000);
            while (rate <= 0)
            {
                Assert.True(Environment.TickCount64 < deadline, "No sample has a rate.");
                var queues = (await all.NextAsync("sample")).GetProperty("queues");
                Assert.Equal(100, queues.GetArrayLength());
                var ticks = queues.EnumerateArray().Single(static queue => queue.GetProperty("name").GetString() == "ticks");
                rate = ticks.GetProperty("rates").GetProperty("messagesPerSecond").GetDouble();
            }
        }
    }

    [Fact]
    public async Task A_follower_that_cannot_keep_up_leaves_messages_out_and_shows_the_last_one()
    {
        using var folder = new TemporaryFolder();
        using var queue = MessageQueue.Open(folder.PathOf("ticks"));
        using var producer = queue.OpenProducer();
        await using var page = await ServedPage.StartAsync(folder.Path);
        using var followed = await page.EventsAsync($"path={Uri.EscapeDataString(queue.Path)}&follow=latest");
        await followed.NextAsync("sample");
        for (var i = 0; i < 10_000; i++)
        {
            producer.Publish(new byte[1_000]);
        }

        var last = producer.Publish("after"u8);
        var skipped = 0L;
        var records = Array.Empty<JsonElement>();
        while (records.All(record => record.GetProperty("position").GetInt64() != last))
        {
            var read = await followed.NextAsync("records");
            skipped += read.GetProperty("skippedBytes").GetInt64();
            records = [.. read.GetProperty("records").EnumerateArray()];
        }

        Assert.InRange(skipped, 1, last);
    }

    [Fact]
    public void A_follower_leaves_large_messages_out_when_an_answer_is_full_and_shows_the_last_one()
    {
        using var folder = new TemporaryFolder();
        using var queue = MessageQueue.Open(folder.PathOf("orders"));
        using var producer = queue.OpenProducer<Shop.Order>();
        var positions = Enumerable.Range(1, 40).Select(id => producer.Publish(new Shop.Order(id, new string('x', LargeNote), []))).ToList();
        using var follower = new Follower(queue.Path, QueueStart.Earliest);

        var first = follower.Read()!.Value;
        var (skipped, shown) = (SkippedOf(first), new List<long>(PositionsOf(JsonOf(first))));
        while (shown[^1] != positions[^1])
        {
            if (follower.Read() is { } answer)
            {
                skipped += SkippedOf(answer);
                shown.AddRange(PositionsOf(JsonOf(answer)));
            }
        }

        Assert.InRange(first.Length, LargeNote, MessagePage.MaxBytes + 2 * LargeNote);
        Assert.Equal(positions.Take(shown.Count - 1).Append(positions[^1]), shown);
        Assert.InRange(skipped, positions[^1] - positions[shown.Count - 1], queue.PublishedPosition - positions[shown.Count - 1]);

        static long SkippedOf(ReadOnlyMemory<byte> answer) => JsonOf(answer).GetProperty("skippedBytes").GetInt64();
        static JsonElement JsonOf(ReadOnlyMemory<byte> answer) => JsonDocument.Parse(answer).RootElement;
    }

    [Fact]
    public async Task An_answer_with_large_dead_letters_is_cut_after_one_of_them()
    {
        using var folder = new TemporaryFolder();
        using var queue = MessageQueue.Open(folder.PathOf("orders"));
        queue.OpenProducer<Shop.Order>().Dispose();
        using (var letters = new Hosting.DeadLetterStore(queue, "shipping"))
        {
            for (var id = 1; id <= 20; id++)
            {
                letters.Add(new Shop.Order(id, new string('x', LargeNote), []).ToMessageArray(), new MessageProperties(), new MessageId(queue.Id, 1, id), attempts: 3, "no address", exception: null);
            }
        }

        await using var page = await ServedPage.StartAsync(folder.Path);

        var answer = await page.GetAsync($"{AddressOf("queue/dead/letters", queue.Path)}&name=shipping");

        var lines = LinesOf(answer);
        Assert.True(answer.GetProperty("more").GetBoolean());
        Assert.InRange(lines.Sum(static line => line!.Length), MessagePage.MaxBytes, MessagePage.MaxBytes + 2 * LargeNote);
        Assert.All(lines, static line => JsonDocument.Parse(line!).Dispose());
    }

    [Fact]
    public async Task A_malformed_dead_letter_is_shown_with_the_others()
    {
        using var folder = new TemporaryFolder();
        using var queue = MessageQueue.Open(folder.PathOf("orders"));
        queue.OpenProducer<Shop.Order>().Dispose();
        using (var letters = new Hosting.DeadLetterStore(queue, "shipping"))
        {
            letters.Add(new Shop.Order(1, null, []).ToMessageArray(), new MessageProperties(), new MessageId(queue.Id, 1, 0), attempts: 3, "no address", exception: null);
            letters.Add(new byte[40], new MessageProperties(), new MessageId(queue.Id, 1, 64), attempts: 1, "malformed", exception: null);
        }

        await using var page = await ServedPage.StartAsync(folder.Path);

        var answer = await page.GetAsync($"{AddressOf("queue/dead/letters", queue.Path)}&name=shipping");

        Assert.Equal(2, LinesOf(answer).Count);
        Assert.Contains("1 message not as the schema says.", answer.GetProperty("remarks").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_hundred_queues_are_in_one_sample()
    {
        using var folder = new TemporaryFolder();
        for (var i = 0; i < 100; i++)
        {
            QueueOfOrders.Create(folder.PathOf($"shop/orders-{i:00}"), 2, new MessageQueueOptions { SegmentBytes = 65536 });
        }

        await using var page = await ServedPage.StartAsync(folder.Path);
        using var events = await page.EventsAsync("");

        for (var round = 0; round < 3; round++)
        {
            var queues = (await events.NextAsync("sample")).GetProperty("queues");
            Assert.Equal(100, queues.GetArrayLength());
            Assert.All(queues.EnumerateArray(), static queue => Assert.True(queue.GetProperty("facts").GetProperty("publishedPosition").GetInt64() > 0));
        }
    }

    [Fact]
    public async Task A_queue_that_appears_and_one_that_is_deleted_are_noticed()
    {
        using var folder = new TemporaryFolder();
        await using var page = await ServedPage.StartAsync(folder.Path);
        using var events = await page.EventsAsync("");
        Assert.Equal(0, (await events.NextAsync("sample")).GetProperty("queues").GetArrayLength());

        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        await UntilAsync(static queues => queues.GetArrayLength() == 1 && queues[0].TryGetProperty("facts", out _));
        Assert.True(MessageQueue.Delete(folder.PathOf("orders")));
        await UntilAsync(static queues => queues.GetArrayLength() == 0);

        async Task UntilAsync(Func<JsonElement, bool> holds)
        {
            var deadline = Environment.TickCount64 + 60_000;
            while (!holds((await events.NextAsync("sample")).GetProperty("queues")))
            {
                Assert.True(Environment.TickCount64 < deadline, "The samples do not change.");
            }
        }
    }

    [Fact]
    public async Task A_cache_is_described_as_its_commands_do()
    {
        using var folder = new TemporaryFolder();
        using (var cache = Caching.MessageCache.Open<string>(folder.PathOf("pages"), new Caching.MessageCacheOptions { DiskBytes = 1 << 20, SegmentBytes = 65536 }))
        {
            cache.Set("logo", "PNG"u8);
        }

        await using var page = await ServedPage.StartAsync(folder.Path);

        Assert.Equal("pages", (await page.GetAsync("/api/caches")).GetProperty("caches")[0].GetProperty("name").GetString());
        Assert.Equal((await ToolRun.InProcessAsync("cache", "info", folder.PathOf("pages"), "--json")).Output.TrimEnd(), await page.Client.GetStringAsync(new Uri(page.Address, AddressOf("cache", folder.PathOf("pages")))));
        Assert.Equal((await ToolRun.InProcessAsync("cache", "ls", folder.PathOf("pages"), "--json")).Lines, LinesOf(await page.GetAsync(AddressOf("cache/entries", folder.PathOf("pages")))));
    }

    [Fact]
    public async Task Looking_leaves_every_byte_as_it_is()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3, new MessageQueueOptions { SegmentBytes = 65536 });
        var before = FolderContent.Of(folder.Path);
        await using var page = await ServedPage.StartAsync(folder.Path);
        using var events = await page.EventsAsync($"path={Uri.EscapeDataString(folder.PathOf("orders"))}&follow=latest");
        foreach (var part in new[] { "queue", "queue/schema", "queue/messages", "queue/dead" })
        {
            await page.GetAsync(AddressOf(part, folder.PathOf("orders")));
        }

        await events.NextAsync("sample");
        await events.NextAsync("sample");

        Assert.Equal(before, FolderContent.Of(folder.Path));
    }

    [Fact]
    public async Task An_interrupt_ends_it_well_while_pages_are_open()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        await using var page = await ServedPage.StartProcessAsync(folder.Path);
        using var events = await page.EventsAsync("");
        await events.NextAsync("sample");

        Assert.Equal(0, await page.InterruptAsync());
    }

    [Fact]
    public async Task A_port_that_is_taken_is_named()
    {
        using var folder = new TemporaryFolder();
        await using var page = await ServedPage.StartAsync(folder.Path);

        var run = await ToolRun.InProcessAsync("serve", folder.Path, "--port", $"{page.Address.Port}");

        Assert.Equal(2, run.Code);
        Assert.Contains($"The port {page.Address.Port} is taken", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_folder_that_is_missing_is_named()
    {
        using var folder = new TemporaryFolder();

        var run = await ToolRun.InProcessAsync("serve", folder.PathOf("nowhere"), "--port", "0");

        Assert.Equal(2, run.Code);
        Assert.Contains("nowhere", run.Errors, StringComparison.Ordinal);
    }

    internal static string AddressOf(string part, string path) => $"/api/{part}?path={Uri.EscapeDataString(path)}";

    internal static async Task AssertRefusedAsync(HttpStatusCode status, string sentence, HttpResponseMessage response)
    {
        Assert.Equal(status, response.StatusCode);
        var answer = JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement;
        Assert.Contains(sentence, answer.GetProperty("error").GetString(), StringComparison.Ordinal);
    }

    private static IReadOnlyList<long> PositionsOf(JsonElement answer) => [.. answer.GetProperty("records").EnumerateArray().Select(static record => record.GetProperty("position").GetInt64())];

    private static IReadOnlyList<string?> LinesOf(JsonElement answer) => [.. answer.GetProperty("lines").EnumerateArray().Select(static line => line.GetString())];
}
