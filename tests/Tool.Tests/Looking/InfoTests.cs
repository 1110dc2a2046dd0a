using System.Text.Json;
using Shop;

namespace BufferedMessages.Tool.Tests;

public class InfoTests
{
    [Fact]
    public async Task A_dead_member_that_holds_a_message_is_named_with_its_position()
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 2, new MessageQueueOptions { SegmentBytes = 65536 });
        await HoldAndDieAsync(folder.PathOf("orders"));

        var run = await ToolRun.InProcessAsync("info", folder.PathOf("orders"));

        Assert.Contains($"1 DEAD holds {positions[0]} ", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_JSON_has_options_schemas_and_names()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 2, new MessageQueueOptions { Flush = FlushMode.Interval, SegmentBytes = 65536, Retention = new QueueRetention { MaxBytes = 1 << 20 } });

        var run = await ToolRun.InProcessAsync("info", folder.PathOf("orders"), "--json");

        var info = JsonDocument.Parse(run.Output).RootElement;
        Assert.Equal("durable", info.GetProperty("mode").GetString());
        Assert.Equal(65536, info.GetProperty("segmentBytes").GetInt64());
        Assert.Equal(1 << 20, info.GetProperty("retention").GetProperty("maxBytes").GetInt64());
        Assert.Equal("Shop.Order", info.GetProperty("schemas")[0].GetProperty("name").GetString());
        Assert.Equal(1, info.GetProperty("segments").GetInt64());
    }

    [Theory]
    [InlineData(630_822_816_000_000_000L, "2000-01-01T00:00:00Z")]
    [InlineData(-1L, "unknown")]
    public async Task The_time_of_creation_is_shown_if_it_is_possible(long ticks, string text)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        using (var file = new FileStream(Path.Combine(folder.PathOf("orders"), "control"), FileMode.Open, FileAccess.Write))
        {
            file.Position = 40;
            file.Write(BitConverter.GetBytes(ticks));
        }

        var run = await ToolRun.InProcessAsync("info", folder.PathOf("orders"));
        var json = await ToolRun.InProcessAsync("info", folder.PathOf("orders"), "--json");

        Assert.Contains($"  created     {text}\n", run.Output, StringComparison.Ordinal);
        Assert.Equal(ticks > 0, JsonDocument.Parse(json.Output).RootElement.TryGetProperty("created", out _));
    }

    [Fact]
    public async Task A_terminal_gets_colors_unless_they_are_forbidden()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);

        var colored = await ToolRun.InProcessAsync("", hasColors: true, CancellationToken.None, "info", folder.PathOf("orders"));
        var plain = await ToolRun.InProcessAsync("", hasColors: true, CancellationToken.None, "info", folder.PathOf("orders"), "--no-color");

        Assert.Contains("\e[1m", colored.Output, StringComparison.Ordinal);
        Assert.DoesNotContain('\e', plain.Output);
    }

    [Fact]
    public async Task A_damaged_queue_ends_with_1()
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 3);
        using (var file = new FileStream(Directory.GetFiles(folder.PathOf("orders"), "*.segment").Single(), FileMode.Open, FileAccess.Write))
        {
            // A length that is impossible.
            file.Position = positions[1] + 4;
            file.Write([1, 0, 0, 0]);
        }

        var run = await ToolRun.InProcessAsync("dump", folder.PathOf("orders"), "--to", $"{positions[2]}");

        Assert.Equal(1, run.Code);
        Assert.Contains($"{positions[1]}", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_versions_of_a_schema_are_shown_and_compared()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        var text = QueueOfOrders.Schema<Order>().Text;
        File.WriteAllText(folder.PathOf("same.schema"), text);
        File.WriteAllText(folder.PathOf("other.schema"), text.Replace("0 i32 Id", "0 i64 Id", StringComparison.Ordinal));

        var one = await ToolRun.InProcessAsync("schema", folder.PathOf("orders"), "--version", "1");
        var same = await ToolRun.InProcessAsync("schema", "diff", folder.PathOf("orders"), folder.PathOf("same.schema"));
        var other = await ToolRun.InProcessAsync("schema", "diff", folder.PathOf("orders"), folder.PathOf("other.schema"));

        Assert.Equal(text, one.Output);
        Assert.Equal((0, 1), (same.Code, other.Code));
        Assert.Contains("  ! 0 i32 Id  ->  0 i64 Id\n", other.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("0")]
    [InlineData("2")]
    public async Task A_version_that_a_schema_does_not_have_ends_with_2_and_says_which_there_are(string version)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);

        var run = await ToolRun.InProcessAsync("schema", folder.PathOf("orders"), "--version", version);

        Assert.Equal((2, "", $"'{folder.PathOf("orders")}' has the versions 1 to 1, and no version {version}.\n"), (run.Code, run.Output, run.Errors));
    }

    [Fact]
    public async Task A_queue_without_a_schema_is_a_negative_answer_and_one_that_cannot_be_compared()
    {
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("raw")))
        using (var producer = queue.OpenProducer())
        {
            producer.Publish("one"u8);
        }

        var shown = await ToolRun.InProcessAsync("schema", folder.PathOf("raw"));
        var compared = await ToolRun.InProcessAsync("schema", "diff", folder.PathOf("raw"), folder.PathOf("raw"));

        Assert.Equal((1, 2), (shown.Code, compared.Code));
        Assert.All([shown, compared], static run => Assert.Contains("has no schema", run.Errors, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_schema_is_compared_with_each_version_of_a_queue()
    {
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("orders"), new MessageQueueOptions { SegmentBytes = 65536 }))
        {
            queue.OpenProducer(MessageSchema.Parse("message Shop.Order\n0 message(Shop.Line) Line\n1 i32 Count\nmessage Shop.Line\n0 i32 Id\n")).Dispose();
            queue.OpenProducer(MessageSchema.Parse("message Shop.Order\n0 message(Shop.Line) Line\nmessage Shop.Line\n0 i32 Id\n1 string Note\n")).Dispose();
        }

        File.WriteAllText(folder.PathOf("new.schema"), "message Shop.Order\n0 message(Shop.Line) Line\n1 i64 Total\nmessage Shop.Line\n0 i32 Id\n1 string Note\n");

        var run = await ToolRun.InProcessAsync("schema", "diff", folder.PathOf("orders"), folder.PathOf("new.schema"));

        Assert.Equal((1, ""), (run.Code, run.Errors));
        Assert.Contains("  + 1 i64 Total\n", run.Output, StringComparison.Ordinal);
        Assert.EndsWith("Incompatible: '1 i32 Count' is not '1 i64 Total'.\n", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_type_that_was_renamed_and_a_case_that_was_removed_are_not_of_another_kind()
    {
        using var folder = new TemporaryFolder();
        const string Old = """
            message Shop.Order
            0 union(Shop.IPayment) Payment
            1 list(message(Shop.Line)) Lines
            union Shop.IPayment
            1 message(Shop.Card) Card
            2 message(Shop.Bank) Bank
            3 message(Shop.Cash) Cash
            message Shop.Line
            0 i32 Id
            message Shop.Card
            0 i32 Id
            message Shop.Bank
            0 i32 Id
            message Shop.Cash
            0 i32 Id

            """;
        File.WriteAllText(folder.PathOf("old.schema"), Old);
        File.WriteAllText(
            folder.PathOf("new.schema"),
            Old.Replace("Shop.Line", "Shop.Row", StringComparison.Ordinal)
                .Replace("2 message(Shop.Bank) Bank", "2 reserved", StringComparison.Ordinal)
                .Replace("message Shop.Bank\n0 i32 Id\n", "", StringComparison.Ordinal));

        var run = await ToolRun.InProcessAsync("schema", "diff", folder.PathOf("old.schema"), folder.PathOf("new.schema"));

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.Contains("  ~ 2 message(Shop.Bank) Bank  ->  2 reserved\n", run.Output, StringComparison.Ordinal);
        Assert.Contains("  ~ 1 list(message(Shop.Line)) Lines  ->  1 list(message(Shop.Row)) Lines\n", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain('!', run.Output);
    }

    [Theory]
    [InlineData]
    [InlineData("--single")]
    public async Task The_bench_leaves_nothing(params string[] options)
    {
        using var folder = new TemporaryFolder();

        var run = await ToolRun.InProcessAsync(["bench", folder.Path, "--time", "1ms", "--json", .. options]);

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.True(JsonDocument.Parse(run.Output).RootElement.GetProperty("messagesPerSecond").GetDouble() > 0);
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.Path));
    }

    private static async Task HoldAndDieAsync(string path)
    {
        using var process = ToolRun.StartDotnet(Repository.CrossProcess, Path.GetTempPath(), "HoldMessage", path);
        Assert.Equal("ready", await process.StandardOutput.ReadLineAsync().WaitAsync(TimeSpan.FromSeconds(60)));
        process.Kill();
        await process.WaitForExitAsync();
    }
}
