using BufferedMessages.Hosting;
using Shop;

namespace BufferedMessages.Tool.Tests;

public sealed class DeadTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly MessageQueue _queue;

    public DeadTests()
    {
        _queue = MessageQueue.Open(_folder.PathOf("orders"), new MessageQueueOptions { SegmentBytes = 65536 });
        using var producer = _queue.OpenProducer<Order>();
    }

    private string Path => _queue.Path;

    public void Dispose()
    {
        _queue.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public async Task They_are_listed_by_handler_and_shown_with_their_reasons()
    {
        using var mail = GiveUp("mail", "no address", "timeout", "no address");
        using var billing = GiveUp("billing", "timeout");

        var list = await ToolRun.InProcessAsync("dead", "ls", Path, "--json");
        var some = await ToolRun.InProcessAsync("dead", "ls", Path, "--reason", "TIME");
        var show = await ToolRun.InProcessAsync("dead", "show", Path, "--handler", "mail", "--reason", "address");

        Assert.Equal((2, true, true), (list.Lines.Length, list.Lines[0].StartsWith("{\"name\":\"billing\",\"messages\":1,", StringComparison.Ordinal), list.Lines[1].StartsWith("{\"name\":\"mail\",\"messages\":3,", StringComparison.Ordinal)));
        Assert.Equal(["billing  1", "mail  1"], some.Lines.Skip(1).Select(static line => string.Join("  ", line.Split(' ', StringSplitOptions.RemoveEmptyEntries).Take(2))));
        Assert.Equal(2, show.Lines.Count(static line => line.Contains("\"Id\":", StringComparison.Ordinal)));
        Assert.Equal(2, show.Lines.Count(static line => line.Contains("\"reason\":\"no address\"", StringComparison.Ordinal)));
        Assert.DoesNotContain("timeout", show.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_malformed_one_of_any_handler_is_shown_with_the_others_and_ends_with_1()
    {
        using var billing = GiveUp("billing", "timeout");
        using var mail = GiveUp("mail", "no address");
        billing.Add(new byte[40], new MessageProperties(), new MessageId(_queue.Id, 1, 64), attempts: 1, "malformed", exception: null);

        var show = await ToolRun.InProcessAsync("dead", "show", Path);

        Assert.Equal((1, "1 message not as the schema says.\n"), (show.Code, show.Errors));
        Assert.Equal(2, show.Lines.Count(static line => line.Contains("\"Id\":", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Looking_at_them_changes_nothing()
    {
        using var mail = GiveUp("mail", "no address", "timeout");
        await ToolRun.InProcessAsync("dead", "drop", Path, "--handler", "mail", "--reason", "timeout", "--yes");
        var before = FolderContent.Of(_folder.Path);

        await ToolRun.InProcessAsync("dead", "ls", Path);
        var show = await ToolRun.InProcessAsync("dead", "show", Path);

        Assert.Equal(before, FolderContent.Of(_folder.Path));
        Assert.Contains("no address", show.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("timeout", show.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Another_process_requeues_them_while_the_handler_and_a_consumer_are_alive()
    {
        using var mail = GiveUp("mail", "no address", "timeout");
        using var consumer = _queue.OpenConsumer<OrderBufferedMessage>("shipping");

        var run = await ToolRun.AsProcessAsync(_folder.Path, "dead", "requeue", "./orders", "--handler", "mail", "--reason", "^timeout$", "--yes");

        Assert.Equal((0, "mail: 1 message requeued.\n", ""), (run.Code, run.Output, run.Errors));
        Assert.True(consumer.TryRead(out var delivery, TimeSpan.FromSeconds(30)));
        Assert.Equal(2, delivery.Message.Id);
        Assert.NotNull(delivery.Properties.Source);
        delivery.Commit();
        Assert.False(consumer.TryRead(out _));
        var left = await ToolRun.InProcessAsync("dead", "ls", Path, "--json");
        Assert.StartsWith("{\"name\":\"mail\",\"messages\":1,", left.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("y\n", 0)]
    [InlineData("n\n", 2)]
    public async Task They_are_dropped_only_after_a_yes(string answer, int code)
    {
        using var mail = GiveUp("mail", "no address", "timeout");
        var position = Positions("mail")[1];

        var run = await ToolRun.InProcessAsync(answer, hasColors: false, CancellationToken.None, "dead", "drop", Path, "--handler", "mail", "--position", $"{position}");

        Assert.Equal(code, run.Code);
        Assert.Contains("Drop 1 dead letter of 'mail'", run.Errors, StringComparison.Ordinal);
        Assert.Equal(code == 0 ? 1 : 2, Positions("mail").Count);
        Assert.Equal(code != 0, Positions("mail").Contains(position));
    }

    [Fact]
    public async Task A_position_is_taken_as_it_is_shown()
    {
        using var mail = GiveUp("mail", [.. Enumerable.Range(1, 30).Select(static number => $"reason {number}")]);
        var show = await ToolRun.InProcessAsync("dead", "show", Path, "--reason", "reason 30");
        var position = show.Lines[0].Split(' ')[0];

        var drop = await ToolRun.InProcessAsync("dead", "drop", Path, "--position", position, "--yes");
        var wrong = await ToolRun.InProcessAsync("dead", "drop", Path, "--position", "12x", "--yes");

        Assert.Contains(',', position);
        Assert.Equal(2, wrong.Code);
        Assert.StartsWith("'12x' is not a position.", wrong.Errors, StringComparison.Ordinal);
        Assert.Equal((0, ""), (drop.Code, drop.Errors));
        Assert.Equal(29, Positions("mail").Count);
    }

    [Fact]
    public async Task A_position_that_dead_letters_of_several_handlers_have_needs_the_handler()
    {
        using var billing = GiveUp("billing", "timeout");
        using var mail = GiveUp("mail", "no address");
        var position = Assert.Single(Positions("mail"));
        Assert.Equal([position], Positions("billing"));

        var both = await ToolRun.InProcessAsync("dead", "drop", Path, "--position", $"{position}", "--yes");
        var one = await ToolRun.InProcessAsync("dead", "drop", Path, "--position", $"{position}", "--handler", "mail", "--yes");

        Assert.Equal((2, $"Several handlers have a dead letter at position {position}: 'billing', 'mail'. Give one with --handler.\n"), (both.Code, both.Errors));
        Assert.Equal((0, "mail: 1 message dropped.\n"), (one.Code, one.Output));
        Assert.Equal((1, 0), (Positions("billing").Count, Positions("mail").Count));
    }

    [Fact]
    public async Task Nothing_is_removed_while_another_process_removes()
    {
        using var mail = GiveUp("mail", "no address");
        using var letters = MessageQueue.OpenExisting(System.IO.Path.Combine(Path, "dead", "mail"));
        using var other = letters.OpenConsumer<RawMessage>("removed");

        var run = await ToolRun.AsProcessAsync(_folder.Path, "dead", "drop", "./orders", "--yes");

        Assert.Equal(2, run.Code);
        Assert.Contains($"{Environment.ProcessId}", run.Errors, StringComparison.Ordinal);
        Assert.Single(Positions("mail"));
    }

    [Fact]
    public async Task A_choice_of_nothing_ends_with_1_and_a_mistyped_handler_with_2()
    {
        using var mail = GiveUp("mail", "no address");

        var none = await ToolRun.InProcessAsync("dead", "requeue", Path, "--reason", "disk", "--yes");
        var mistyped = await ToolRun.InProcessAsync("dead", "drop", Path, "--handler", "mial", "--yes");

        Assert.Equal((1, 2), (none.Code, mistyped.Code));
        Assert.Contains("Did you mean 'mail'?", mistyped.Errors, StringComparison.Ordinal);
        Assert.Single(Positions("mail"));
    }

    [Fact]
    public async Task Damaged_ones_of_a_handler_do_not_hide_those_of_the_others()
    {
        using var billing = GiveUp("billing", "timeout");
        GiveUp("mail", "no address").Dispose();
        using var shipping = GiveUp("shipping", "no stock");
        var control = System.IO.Path.Combine(Path, "dead", "mail", "control");
        File.WriteAllBytes(control, new byte[new FileInfo(control).Length]);

        var list = await ToolRun.InProcessAsync("dead", "ls", Path, "--json");
        var show = await ToolRun.InProcessAsync("dead", "show", Path);
        var drop = await ToolRun.InProcessAsync("dead", "drop", Path, "--yes");

        Assert.Equal((1, 1), (list.Code, show.Code));
        Assert.All([list.Errors, show.Errors], static errors => Assert.StartsWith("The dead letters of 'mail' cannot be read: ", errors, StringComparison.Ordinal));
        Assert.Equal((2, true, true), (list.Lines.Length, list.Lines[0].StartsWith("{\"name\":\"billing\",", StringComparison.Ordinal), list.Lines[1].StartsWith("{\"name\":\"shipping\",", StringComparison.Ordinal)));
        Assert.Equal(2, show.Lines.Count(static line => line.Contains("\"Id\":", StringComparison.Ordinal)));

        // A change of all of them is refused as a whole.
        Assert.Equal(1, drop.Code);
        Assert.Equal((1, 1), (Positions("billing").Count, Positions("shipping").Count));
    }

    [Fact]
    public async Task Those_of_a_bridge_are_shown_by_the_schema_of_the_queue()
    {
        using (var letters = MessageQueue.Open(System.IO.Path.Combine(Path, "dead", "link")))
        {
            using var producer = letters.OpenProducer();
            producer.Publish(new Order(9, "lost", []).ToMessageArray(), new MessageProperties { Reason = "no stream" });
        }

        var show = await ToolRun.InProcessAsync("dead", "show", Path, "--handler", "link");

        Assert.Contains("\"Note\":\"lost\"", show.Output, StringComparison.Ordinal);
        Assert.Contains("no stream", show.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Those_of_several_are_shown_below_the_name_of_their_handler_or_bridge()
    {
        using var mail = GiveUp("mail", "no address");
        using (var letters = MessageQueue.Open(System.IO.Path.Combine(Path, "dead", "bridge.link")))
        using (var producer = letters.OpenProducer())
        {
            producer.Publish(new Order(9, "lost", []).ToMessageArray(), new MessageProperties { Source = new MessageId(_queue.Id, 1, 64) });
        }

        var show = await ToolRun.InProcessAsync("dead", "show", Path);
        var lines = await ToolRun.InProcessAsync("dead", "show", Path, "--json");
        var one = await ToolRun.InProcessAsync("dead", "show", Path, "--handler", "mail");

        Assert.Equal((0, 6), (show.Code, show.Lines.Length));
        Assert.Equal(("bridge.link:", "mail:"), (show.Lines[0], show.Lines[3]));
        Assert.Contains("{\"Id\":9,", show.Lines[1], StringComparison.Ordinal);
        Assert.Equal(2, lines.Lines.Length);
        Assert.StartsWith("{\"name\":\"bridge.link\",\"position\":", lines.Lines[0], StringComparison.Ordinal);
        Assert.StartsWith("{\"name\":\"mail\",\"position\":", lines.Lines[1], StringComparison.Ordinal);
        Assert.Equal(2, one.Lines.Length);
    }

    [Fact]
    public async Task The_oldest_one_is_named_although_the_first_one_had_no_room_for_its_time()
    {
        var time = new DateTimeOffset(2026, 11, 23, 4, 5, 6, TimeSpan.Zero);
        using (var letters = MessageQueue.Open(System.IO.Path.Combine(Path, "dead", "link")))
        using (var producer = letters.OpenProducer())
        {
            producer.Publish([1], new MessageProperties { Source = new MessageId(_queue.Id, 1, 64) });
            producer.Publish([2], new MessageProperties { Time = time });
            producer.Publish([3], new MessageProperties { Time = time.AddDays(1) });
        }

        var list = await ToolRun.InProcessAsync("dead", "ls", Path);

        Assert.Equal(0, list.Code);
        Assert.EndsWith("  2026-11-23T04:05:06Z", list.Lines[1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Those_of_a_bridge_are_published_again_as_messages_of_the_queue()
    {
        var order = new Order(9, "large", []).ToMessageArray();
        using (var letters = MessageQueue.Open(System.IO.Path.Combine(Path, "dead", "link")))
        using (var producer = letters.OpenProducer())
        {
            producer.Publish(order, new MessageProperties { Reason = "too large for the stream" });
        }

        var requeue = await ToolRun.InProcessAsync("dead", "requeue", Path, "--yes");

        Assert.Equal((0, ""), (requeue.Code, requeue.Errors));
        using var reader = _queue.OpenReader<OrderBufferedMessage>();
        Assert.True(reader.TryRead(out var delivery));
        Assert.Equal(9, delivery.Message.Id);
        Assert.Empty(Positions("link"));
    }

    [Fact]
    public async Task One_of_a_bridge_that_fills_a_segment_is_published_again_without_the_headers_of_the_bridge()
    {
        using var queue = MessageQueue.Open(_folder.PathOf("bytes"), new MessageQueueOptions { SegmentBytes = 65536 });
        using var source = queue.OpenProducer();
        using (var letters = MessageQueue.Open(System.IO.Path.Combine(queue.Path, "dead", "bridge.link"), new MessageQueueOptions { SegmentBytes = 131072 }))
        using (var producer = letters.OpenProducer())
        {
            producer.Publish(
                new byte[source.MaxMessageBytes],
                new MessageProperties { Source = queue.IdOf(0), Reason = "too large for the stream", Headers = { ["bridge-stream"] = "orders", ["bridge-offset"] = "7" } });
        }

        var requeue = await ToolRun.InProcessAsync("dead", "requeue", queue.Path, "--yes");

        Assert.Equal((0, "bridge.link: 1 message requeued.\n", ""), (requeue.Code, requeue.Output, requeue.Errors));
        using var reader = queue.OpenReader<RawMessage>();
        Assert.True(reader.TryRead(out var delivery));
        Assert.Equal(source.MaxMessageBytes, delivery.Message.Bytes.Length);
        Assert.Empty(delivery.Properties.ToProperties().Headers);
    }

    [Fact]
    public async Task A_full_queue_is_waited_for_and_after_Ctrl_C_the_rest_is_left()
    {
        using var ring = MessageQueue.Open(_folder.PathOf("ring"), new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 65536, Slots = 2 });
        using var consumer = ring.OpenConsumer<RawMessage>("all");
        using (var producer = ring.OpenProducer())
        using (var store = new DeadLetterStore(ring, "mail"))
        {
            for (var i = 0; i < 5; i++)
            {
                store.Add(new byte[40_000], new MessageProperties(), new MessageId(ring.Id, 1, i), attempts: 3, "timeout", exception: null);
            }
        }

        using var requeue = ToolRun.Start(_folder.Path, "dead", "requeue", "./ring", "--yes");
        Assert.Contains("The queue is full", await requeue.StandardError.ReadLineAsync().WaitAsync(TimeSpan.FromSeconds(60)), StringComparison.Ordinal);
        await Signals.InterruptAsync(requeue);
        var errors = await requeue.StandardError.ReadToEndAsync().WaitAsync(TimeSpan.FromSeconds(60));
        await requeue.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(60));

        Assert.Equal((2, "mail: 2 messages requeued. The others are left.\nInterrupted.\n"), (requeue.ExitCode, errors));
        using var letters = DeadLetterQueue.Open(ring.Path, "mail");
        Assert.Equal(3, letters.List().Count);
        Assert.True(consumer.TryRead(out var first));
        first.Commit();
        Assert.True(consumer.TryRead(out var second));
        second.Commit();
        Assert.False(consumer.TryRead(out _));
    }

    [Fact]
    public async Task Ctrl_C_leaves_those_that_are_not_dropped_yet()
    {
        using var billing = GiveUp("billing", "timeout");
        using var mail = GiveUp("mail", "no address", "timeout");
        using var interrupted = new CancellationTokenSource();
        using var output = new InterruptingStream(interrupted);
        using var errors = new MemoryStream();
        using var console = new ToolConsole(output, errors, TextReader.Null, isTerminal: true, hasColors: false);

        // A terminal shows each line at once: the first one is that of billing.
        var code = await Inspector.RunAsync(["dead", "drop", Path, "--yes"], console, interrupted.Token);

        Assert.Equal((2, "Interrupted.\n"), (code, System.Text.Encoding.UTF8.GetString(errors.ToArray())));
        Assert.Equal((0, 2), (Positions("billing").Count, Positions("mail").Count));
    }

    // As a handler does it, which stays alive.
    private DeadLetterStore GiveUp(string handler, params string[] reasons)
    {
        var store = new DeadLetterStore(_queue, handler);
        for (var i = 0; i < reasons.Length; i++)
        {
            store.Add(new Order(i + 1, null, []).ToMessageArray(), new MessageProperties(), new MessageId(_queue.Id, 1, i), attempts: 3, reasons[i], exception: null);
        }

        return store;
    }

    private IReadOnlyList<long> Positions(string handler)
    {
        using var letters = DeadLetterQueue.Open(Path, handler);
        return [.. letters.List().Select(static letter => letter.Position)];
    }

    /// <summary>An output at whose first line a person presses Ctrl-C.</summary>
    private sealed class InterruptingStream(CancellationTokenSource source) : MemoryStream
    {
        public override void Write(ReadOnlySpan<byte> buffer)
        {
            base.Write(buffer);
            if (!buffer.IsEmpty)
            {
                source.Cancel();
            }
        }
    }
}
