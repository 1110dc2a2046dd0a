using BufferedMessages.Caching;

namespace BufferedMessages.Tool.Tests;

public sealed class TopTests : IDisposable
{
    private const string Begin = "\e[?1049h";
    private const string End = "\e[?25h\e[?1049l";
    private const string Down = "\e[B";
    private const string Escape = "\e";
    private const string Enter = "\r";

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("top")]
    [InlineData("top", "--json")]
    public async Task Without_a_terminal_it_says_so_and_ends_with_2(params string[] arguments)
    {
        var run = await ToolRun.AsProcessAsync(_folder.Path, arguments);

        Assert.Equal((2, "", "`top` needs a terminal for its keys and its screen. `stat` writes the same facts of queues to a file or a pipe.\n"), (run.Code, run.Output, run.Errors));
    }

    [TerminalFact]
    public async Task A_terminal_without_a_cursor_gets_no_commands()
    {
        QueueOfOrders.Create(_folder.PathOf("orders"), 1);
        using var top = new TerminalSession(_folder.Path, "top . --interval 50ms", (30, 130), kind: "dumb");
        using var stat = new TerminalSession(_folder.Path, "stat orders --interval 50ms", (30, 130), kind: "dumb");

        Assert.Equal(2, await top.EndAsync());
        await stat.ReadUntilAsync("QUEUE");
        await stat.ReadUntilAsync("QUEUE");
        await stat.SignalAsync("INT");

        Assert.Equal(0, await stat.EndAsync());
        Assert.StartsWith("`top` needs a terminal", top.Written, StringComparison.Ordinal);
        Assert.DoesNotContain("\e", stat.Written, StringComparison.Ordinal);
    }

    [TerminalFact]
    public async Task All_queues_and_caches_below_the_folder_are_shown_with_their_names_and_q_leaves_the_terminal_as_it_was()
    {
        using var session = StartTop("50ms");

        await session.ReadUntilAsync(Begin);
        var frame = await session.ReadUntilAsync("? help");
        await session.PressAsync("q");

        Assert.Equal(0, await session.EndAsync());
        Assert.Contains("2 queues, 1 cache   sorted by name", frame, StringComparison.Ordinal);
        Assert.Matches("> orders +0 .* 1 +[0-9]+ B", Plain(frame));
        Assert.Matches("  shipping +0 +[0-9]+ B", Plain(frame));
        Assert.Contains("  ticks", frame, StringComparison.Ordinal);
        Assert.Matches("  pages  cache, 2 keys", Plain(frame));
        Assert.Contains(End, session.Written, StringComparison.Ordinal);
        Assert.EndsWith("\e[?1049l", session.Written.Split("\e[?1l")[0].TrimEnd(), StringComparison.Ordinal);
    }

    [TerminalFact]
    public async Task Keys_select_a_queue_open_its_page_with_decoded_messages_and_come_back()
    {
        using var session = StartTop("50ms");

        await session.ReadUntilAsync("> orders");
        await session.PressAsync("j");
        await session.ReadUntilAsync("> ticks");
        await session.PressAsync("k");
        await session.ReadUntilAsync("> orders");
        await session.PressAsync(Enter);
        var page = await session.ReadUntilAsync("\"Id\":3");
        await session.PressAsync(Escape);
        await session.ReadUntilAsync("sorted by name");
        await session.PressAsync("s");
        await session.ReadUntilAsync("sorted by rate");
        await session.PressAsync("?");
        await session.ReadUntilAsync("sort by name, by messages a second");
        await session.PressAsync("?");
        await session.PressAsync(Down);
        await session.ReadUntilAsync("> ");
        await session.PressAsync("q");

        Assert.Equal(0, await session.EndAsync());
        Assert.Contains("LAST MESSAGES", page, StringComparison.Ordinal);
        Assert.Contains("{\"Id\":2,", page, StringComparison.Ordinal);
        Assert.Contains("shipping", page, StringComparison.Ordinal);
    }

    [TerminalFact]
    public async Task The_view_follows_the_size_of_the_terminal()
    {
        using var session = StartTop("1h");

        await session.ReadUntilAsync("SEGMENTS");
        await session.ReadUntilAsync("\e[J");
        await session.ResizeAsync(6, 70);

        // stty sets the lines before the columns, and the view may be drawn in between.
        var frame = await session.ReadUntilAsync("\e[J");
        while (frame.Contains("SEGMENTS", StringComparison.Ordinal))
        {
            frame = await session.ReadUntilAsync("\e[J");
        }

        await session.PressAsync("q");

        Assert.Equal(0, await session.EndAsync());
        Assert.Equal(6, frame.Split("\r\n").Length);
    }

    [TerminalTheory]
    [InlineData("INT", 0)]
    [InlineData("TERM", 0)]
    public async Task A_signal_leaves_the_terminal_as_it_was(string signal, int code)
    {
        using var session = StartTop("50ms");
        await session.ReadUntilAsync("> orders");

        await session.SignalAsync(signal);

        Assert.Equal(code, await session.EndAsync());
        Assert.Contains(End, session.Written, StringComparison.Ordinal);
    }

    [TerminalFact]
    public async Task Ctrl_C_leaves_the_terminal_as_it_was_and_showing_keys_again()
    {
        using var session = StartTop("50ms", after: "stty -a");
        await session.ReadUntilAsync("> orders");

        await session.PressAsync("\u0003");

        Assert.Equal(0, await session.EndAsync());
        var settings = session.Written[session.Written.IndexOf(End, StringComparison.Ordinal)..];
        Assert.Contains(" icanon", settings, StringComparison.Ordinal);
        Assert.Matches(@"(?<!-)\becho\b", settings);
    }

    [TerminalFact]
    public async Task A_stop_leaves_the_terminal_as_it_was_until_the_view_goes_on()
    {
        using var session = StartTop("1h");
        await session.ReadUntilAsync("> orders");

        await session.SignalAsync("TSTP");
        await session.ReadUntilAsync(End);
        await session.SignalAsync("CONT");
        await session.ReadUntilAsync(Begin);
        await session.ReadUntilAsync("> orders");
        await session.PressAsync("q");

        Assert.Equal(0, await session.EndAsync());
    }

    [TerminalFact]
    public async Task A_name_cannot_command_the_terminal()
    {
        Fill();
        using (var queue = MessageQueue.OpenExisting(_folder.PathOf("orders")))
        {
            queue.OpenConsumer<RawMessage>("evil\e[2J\u202Ename").Dispose();
        }

        Directory.Move(_folder.PathOf("ticks"), _folder.PathOf("ticks\e]0;title\a"));
        using var session = new TerminalSession(_folder.Path, "top . --interval 50ms", (30, 130));

        await session.ReadUntilAsync(Begin);
        var frame = await session.ReadUntilAsync("? help");
        await session.PressAsync("q");
        await session.EndAsync();

        Assert.Contains("evil\\u001B[2J\\u202Ename", frame, StringComparison.Ordinal);
        Assert.Contains("ticks\\u001B]0;title\\u0007", frame, StringComparison.Ordinal);
        Assert.DoesNotContain("\e[2J", frame, StringComparison.Ordinal);
        Assert.DoesNotContain("\e]", frame, StringComparison.Ordinal);
    }

    [TerminalFact]
    public async Task A_queue_that_is_made_later_appears_and_one_that_is_deleted_goes()
    {
        using var session = StartTop("50ms");
        await session.ReadUntilAsync("> orders");

        QueueOfOrders.Create(_folder.PathOf("later"), 1);
        await session.ReadUntilAsync("3 queues");
        await session.ReadUntilAsync("later");
        Assert.True(MessageQueue.Delete(_folder.PathOf("later")));
        await session.ReadUntilAsync("2 queues");
        await session.PressAsync("q");

        Assert.Equal(0, await session.EndAsync());
    }

    [TerminalFact]
    public async Task The_page_of_a_queue_that_can_no_longer_be_read_says_why()
    {
        using var session = StartTop("50ms");
        await session.ReadUntilAsync("> orders");
        await session.PressAsync(Enter);
        await session.ReadUntilAsync("\"Id\":3");

        // The damaged file takes the place of the other one at once, so that the queue is found at any time.
        var control = _folder.PathOf("orders/control");
        File.WriteAllBytes(control + ".damaged", File.ReadAllBytes(control)[..64]);
        File.Move(control + ".damaged", control, overwrite: true);

        await session.ReadUntilAsync("is damaged at position 0");
        await session.PressAsync("q");

        Assert.Equal(0, await session.EndAsync());
    }

    [Fact]
    public void Bars_are_of_the_last_minute_and_the_largest_is_a_whole_one()
    {
        var history = new RateHistory();
        for (var second = 0; second <= 120; second++)
        {
            history.Add(TimeSpan.FromSeconds(second), second == 20 ? 1_000 : second is 90 ? 8 : second > 110 ? 4 : 0);
        }

        var bars = history.Draw(TimeSpan.FromSeconds(120), width: 12);

        Assert.Equal("▁▁▁▁▁█▁▁▁▁▅▅", bars);
        Assert.Equal("   ▁", Sparkline.Of([0], 4));
    }

    private static string Plain(string text) => System.Text.RegularExpressions.Regex.Replace(text, "\e\\[[0-9;?]*[a-zA-Z]", "", System.Text.RegularExpressions.RegexOptions.NonBacktracking);

    private TerminalSession StartTop(string interval, string? after = null)
    {
        Fill();
        return new TerminalSession(_folder.Path, $"top . --interval {interval}", (30, 130), after);
    }

    private void Fill()
    {
        QueueOfOrders.Create(_folder.PathOf("orders"), 3);
        QueueOfOrders.Create(_folder.PathOf("ticks"), 1);
        using (var queue = MessageQueue.OpenExisting(_folder.PathOf("orders")))
        {
            queue.OpenConsumer<RawMessage>("shipping").Dispose();
        }

        using var cache = MessageCache.Open<string>(_folder.PathOf("pages"), new MessageCacheOptions { DiskBytes = 1 << 20, SegmentBytes = 65536 });
        cache.Set("a", "one"u8);
        cache.Set("b", "two"u8);
    }
}
