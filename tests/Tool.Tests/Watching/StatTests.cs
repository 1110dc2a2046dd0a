using System.Text;
using System.Text.Json;
using BufferedMessages.Queues;
using BufferedMessages.Runtime.Tests.Queues;
using BufferedMessages.TestKit;

namespace BufferedMessages.Tool.Tests;

public class StatTests
{
    private const string CtrlC = "\u0003";
    private const int ParticipantSlotsOffset = 56;

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task A_sample_has_the_lag_of_each_name()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        using var queue = MessageQueue.OpenExisting(folder.PathOf("orders"));
        using var consumer = queue.OpenConsumer<RawMessage>("shipping");

        var run = await ToolRun.InProcessAsync("stat", folder.PathOf("orders"), "--once", "--interval", "1ms", "--json");

        var name = JsonDocument.Parse(run.Output).RootElement.GetProperty("names")[0];
        Assert.True(name.GetProperty("lagBytes").GetInt64() > 0);
        Assert.Equal(("shipping", 1), (name.GetProperty("name").GetString(), name.GetProperty("membersAlive").GetInt32()));
        Assert.Equal(queue.GetStatistics().Consumers[0].LagBytes, name.GetProperty("lagBytes").GetInt64());
    }

    [Fact]
    public async Task A_sample_has_the_messages_in_flight_and_all_that_the_live_view_shows()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        using var queue = MessageQueue.OpenExisting(folder.PathOf("orders"));
        using var member = queue.OpenConsumer<RawMessage>("billing", new ConsumerOptions { Shared = true });
        Assert.True(member.TryRead(out var delivery));

        var json = await ToolRun.InProcessAsync("stat", folder.PathOf("orders"), "--once", "--interval", "1ms", "--json");
        var table = await ToolRun.InProcessAsync("stat", folder.PathOf("orders"), "--once", "--interval", "1ms");
        var statistics = queue.GetStatistics();
        delivery.Commit();

        var sample = JsonDocument.Parse(json.Output).RootElement;
        var name = sample.GetProperty("names")[0];
        Assert.Equal((1, 0), (name.GetProperty("inFlight").GetInt32(), sample.GetProperty("producersDead").GetInt32()));
        Assert.True(name.GetProperty("oldestUnreadSeconds").GetDouble() >= 0);
        Assert.Equal((1L, statistics.Bytes), (sample.GetProperty("segments").GetInt64(), sample.GetProperty("bytes").GetInt64()));
        Assert.Equal(statistics.UnreadBytes, sample.GetProperty("unreadBytes").GetInt64());
        Assert.Contains("  IN FLIGHT  ", table.Lines[0], StringComparison.Ordinal);
        Assert.Matches("^  billing +0 .* 1 +1$", table.Lines[2]);
    }

    [Fact]
    public async Task A_sample_says_of_when_it_is_in_UTC()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);

        var before = DateTimeOffset.UtcNow;
        var run = await ToolRun.InProcessAsync("stat", folder.PathOf("orders"), "--once", "--interval", "1ms", "--json");
        var after = DateTimeOffset.UtcNow;

        var time = JsonDocument.Parse(run.Output).RootElement.GetProperty("time");
        Assert.EndsWith("Z", time.GetString(), StringComparison.Ordinal);
        Assert.InRange(time.GetDateTimeOffset(), before, after);
    }

    [TerminalFact]
    public async Task On_a_terminal_the_table_is_drawn_again_in_its_place_until_it_is_interrupted()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        using var session = new TerminalSession(folder.Path, "stat ./orders --interval 10ms", (30, 130));

        var first = await session.ReadUntilAsync("orders");
        var second = await session.ReadUntilAsync("orders");
        await session.ReadUntilAsync("orders");
        await session.PressAsync(CtrlC);

        Assert.Equal(0, await session.EndAsync());
        Assert.Contains("MESSAGES/S", first, StringComparison.Ordinal);
        Assert.Contains("\e[", second, StringComparison.Ordinal);
    }

    [TerminalFact]
    public async Task A_terminal_with_few_columns_cuts_the_lines_off()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        using var session = new TerminalSession(folder.Path, "stat ./orders --interval 10ms", (10, 20));

        var first = await session.ReadUntilAsync("orders");
        await session.ReadUntilAsync("orders");
        await session.PressAsync(CtrlC);

        Assert.Equal(0, await session.EndAsync());
        Assert.Contains("MESSAGES/S", first, StringComparison.Ordinal);
        Assert.Contains("\e[?7l", first, StringComparison.Ordinal);
        Assert.Contains("\e[?7h", session.Written, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_queue_that_is_deleted_does_not_end_the_samples_of_the_others()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        QueueOfOrders.Create(folder.PathOf("ticks"), 1);
        using var process = ToolRun.Start(folder.Path, "stat", "./orders", "./ticks", "--interval", "10ms", "--json");
        var line = await process.StandardOutput.ReadLineAsync().WaitAsync(Limit);
        Assert.True(MessageQueue.Delete(folder.PathOf("orders")));

        var remark = await process.StandardError.ReadLineAsync().WaitAsync(Limit);
        var isLeftOut = false;
        while (!isLeftOut)
        {
            var last = line;
            line = await process.StandardOutput.ReadLineAsync().WaitAsync(Limit);
            Assert.NotNull(line);
            isLeftOut = line.Contains("/ticks\"", StringComparison.Ordinal) && last!.Contains("/ticks\"", StringComparison.Ordinal);
        }

        await Signals.InterruptAsync(process);
        await process.StandardOutput.ReadToEndAsync().WaitAsync(Limit);
        await process.WaitForExitAsync().WaitAsync(Limit);

        Assert.StartsWith($"'{folder.PathOf("orders")}' is left out: ", remark, StringComparison.Ordinal);
        Assert.Equal(2, process.ExitCode);
    }

    [Fact]
    public async Task A_damaged_queue_is_named_beside_the_samples_of_the_others_and_alone_ends_the_command()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        QueueOfOrders.Create(folder.PathOf("ticks"), 1);
        QueueDirectory.Damage(folder.PathOf("orders/control"), ParticipantSlotsOffset, 1);

        var both = await ToolRun.InProcessAsync("stat", folder.PathOf("orders"), folder.PathOf("ticks"), "--once", "--interval", "1ms", "--json");
        var one = await ToolRun.InProcessAsync("stat", folder.PathOf("orders"), "--once", "--interval", "1ms", "--json");

        Assert.Equal((1, 1), (both.Code, both.Lines.Length));
        Assert.StartsWith($"'{folder.PathOf("orders")}' is left out: ", both.Errors, StringComparison.Ordinal);
        Assert.Equal((1, ""), (one.Code, one.Output));
        Assert.StartsWith($"'{folder.PathOf("orders/control")}' is damaged at position ", one.Errors, StringComparison.Ordinal);
    }

    [FileTheory("/proc/version")]
    [InlineData("orders")]
    [InlineData("orders/control")]
    public async Task A_queue_that_the_system_cannot_open_does_not_end_the_samples_of_the_others(string hidden)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        QueueOfOrders.Create(folder.PathOf("ticks"), 1);
        using var hiding = new HiddenPath(folder.PathOf(hidden));

        var run = await ToolRun.InProcessAsync("stat", folder.PathOf("orders"), folder.PathOf("ticks"), "--once", "--interval", "1ms", "--json");

        Assert.Equal((2, 1), (run.Code, run.Lines.Length));
        Assert.StartsWith($"'{folder.PathOf("orders")}' is left out: ", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public void A_queue_that_can_be_read_again_is_sampled_again()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        QueueOfOrders.Create(folder.PathOf("ticks"), 1);
        using var errors = new MemoryStream();
        using var console = new ToolConsole(Stream.Null, errors, TextReader.Null, isTerminal: false, hasColors: false);
        using var call = Calls.Of(console);
        using var queues = StatQueues.Open(call, [folder.PathOf("orders"), folder.PathOf("ticks")]);

        Directory.Delete(folder.PathOf("orders"), recursive: true);
        var others = queues.Sample();
        var lost = queues.Lost.ToList();
        queues.Report(call);
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        queues.Sample();
        var all = queues.Sample();
        queues.Report(call);

        var remarks = Encoding.UTF8.GetString(errors.ToArray());
        Assert.Equal(["ticks"], others.Select(static rates => rates.Name));
        Assert.Equal(["orders"], lost);
        Assert.Equal(["orders", "ticks"], all.Select(static rates => rates.Name));
        Assert.Empty(queues.Lost);
        Assert.StartsWith($"'{folder.PathOf("orders")}' is left out: ", remarks, StringComparison.Ordinal);
        Assert.EndsWith($"\n'{folder.PathOf("orders")}' can be read again.\n", remarks, StringComparison.Ordinal);
        Assert.Equal(ExitCode.Unanswered, queues.Code);
    }

    [Fact]
    public async Task Each_queue_is_named_if_none_of_several_can_be_read()
    {
        using var folder = new TemporaryFolder();
        foreach (var name in new[] { "orders", "ticks" })
        {
            QueueOfOrders.Create(folder.PathOf(name), 1);
            QueueDirectory.Damage(folder.PathOf($"{name}/control"), ParticipantSlotsOffset, 1);
        }

        var run = await ToolRun.InProcessAsync("stat", folder.PathOf("orders"), folder.PathOf("ticks"), "--once", "--interval", "1ms");

        Assert.Equal((1, ""), (run.Code, run.Output));
        Assert.StartsWith($"'{folder.PathOf("orders")}' is left out: ", run.Errors, StringComparison.Ordinal);
        Assert.Contains($"\n'{folder.PathOf("ticks/control")}' is damaged at position ", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public void A_queue_that_is_deleted_is_not_called_damaged()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        using (var queue = MessageQueue.OpenExisting(folder.PathOf("orders")))
        using (queue.OpenConsumer<RawMessage>("shipping"))
        {
        }

        using var meter = new QueueMeter(MessageQueue.OpenReadOnly(folder.PathOf("orders")));
        meter.Sample();
        Directory.Delete(folder.PathOf("orders"), recursive: true);

        Assert.Throws<StaleQueueException>(() => meter.Sample());
    }

    [Fact]
    public void Counts_that_are_damaged_between_two_samples_end_nothing()
    {
        using var folder = new TemporaryFolder();
        using var queue = MessageQueue.Open(folder.PathOf("orders"));
        using var first = queue.OpenProducer();
        using var second = queue.OpenProducer();
        using var meter = new QueueMeter(MessageQueue.OpenReadOnly(queue.Path));
        DamageCounts(queue.Path);

        Assert.True(meter.Sample().Messages > 0);
    }

    [Fact]
    public void The_first_look_of_a_live_view_has_no_rates()
    {
        using var folder = new TemporaryFolder();
        using var queue = MessageQueue.Open(folder.PathOf("orders"));
        using var producer = queue.OpenProducer();
        using var watched = new WatchedQueue(queue.Path);

        watched.Sample(TimeSpan.Zero);
        var (rates, bars) = (watched.Rates, watched.History.Draw(TimeSpan.Zero, 3));
        producer.Publish(new byte[8]);
        watched.Sample(TimeSpan.FromSeconds(1));

        Assert.Equal((0.0, "   "), (rates!.Messages, bars));
        Assert.Equal("  █", watched.History.Draw(TimeSpan.FromSeconds(1), 3));
    }

    private static void DamageCounts(string path)
    {
        var handle = QueueHandle.Open(path);
        for (var slot = 1; slot < ParticipantSlot.Count; slot++)
        {
            ref var participant = ref handle.Control.Participant(slot);
            if (participant.Role == ParticipantSlot.ProducerRole)
            {
                participant.Messages = long.MaxValue;
            }
        }

        handle.Release();
    }
}
