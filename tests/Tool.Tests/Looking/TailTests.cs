namespace BufferedMessages.Tool.Tests;

public class TailTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(2_000)]
    [InlineData(5_000)]
    public async Task The_last_messages_are_found_over_several_segments(int count)
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 4_000, new MessageQueueOptions { SegmentBytes = 65536 });

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"), "-n", $"{count}", "--format", "{Position} {Id}");

        Assert.Equal(positions.Select(static (position, index) => $"{position} {index + 1}").TakeLast(count), run.Lines);
    }

    [Fact]
    public async Task A_count_of_0_shows_nothing()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"), "-n", "0");

        Assert.Equal((0, "", ""), (run.Code, run.Output, run.Errors));
    }

    [Fact]
    public async Task A_bounded_queue_at_full_speed_may_overwrite_what_was_just_found()
    {
        using var folder = new TemporaryFolder();
        await using var busy = new BusyQueue(folder.PathOf("ring"), messageBytes: 1_000_000, slots: 2);

        for (var i = 0; i < 500; i++)
        {
            var run = await ToolRun.InProcessAsync("tail", busy.Path, "-n", "5", "--json");

            Assert.True(run.Code == 0, run.Errors);
        }
    }

    [Fact]
    public async Task A_name_shows_its_next_message()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        Commit(folder.PathOf("orders"), "shipping");

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"), "--name", "shipping", "-n", "1", "--format", "{Id}: {Lines[].Article}");

        Assert.Equal("2: Bulb\n", run.Output);
    }

    [Fact]
    public async Task A_mistyped_name_is_answered_with_the_closest()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 3);
        Commit(folder.PathOf("orders"), "shipping");

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"), "--name", "shiping");

        Assert.Equal(2, run.Code);
        Assert.Contains("Did you mean 'shipping'?", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_position_between_two_messages_is_refused()
    {
        using var folder = new TemporaryFolder();
        var positions = QueueOfOrders.Create(folder.PathOf("orders"), 3);

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"), "--from", $"{positions[1] + 16}");

        Assert.Equal(2, run.Code);
        Assert.Contains($"No message begins at position {positions[1] + 16}", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_span_that_is_longer_than_the_calendar_begins_at_the_earliest_message()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 2);

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"), "--from", "-900000d", "--format", "{Id}");

        Assert.Equal((0, "1\n2\n", ""), (run.Code, run.Output, run.Errors));
    }

    [Fact]
    public async Task A_converted_member_is_shown_and_searched_as_it_is_stored()
    {
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("offers")))
        {
            using var producer = queue.OpenProducer<Shop.Offer>();
            producer.Publish(new Shop.Offer(1, new Uri("https://example.org/lamps")));
            producer.Publish(new Shop.Offer(2, null));
        }

        var tail = await ToolRun.InProcessAsync("tail", folder.PathOf("offers"), "--json");
        var grep = await ToolRun.InProcessAsync("grep", folder.PathOf("offers"), "Site == \"https://example.org/lamps\"", "--format", "{Id} {Site}");

        Assert.Contains("{\"Id\":1,\"Site\":\"https://example.org/lamps\"}", tail.Output, StringComparison.Ordinal);
        Assert.Contains("{\"Id\":2,\"Site\":null}", tail.Output, StringComparison.Ordinal);
        Assert.Equal("1 https://example.org/lamps\n", grep.Output);
    }

    [Fact]
    public async Task A_word_of_a_template_is_that_of_the_record_also_if_nested_messages_have_such_a_member()
    {
        using var folder = new TemporaryFolder();
        long position;
        using (var queue = MessageQueue.Open(folder.PathOf("routes")))
        {
            using var producer = queue.OpenProducer<Shop.Route>();
            position = producer.Publish(new Shop.Route(1, [new Shop.Stop(7, "noon")]));
        }

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("routes"), "--format", "{Position} {Id} {Stops[].Position}");

        Assert.Equal((0, $"{position} 1 7\n", ""), (run.Code, run.Output, run.Errors));
    }

    [Fact]
    public async Task The_words_of_a_template_describe_the_record_and_two_braces_are_one()
    {
        var order = new Shop.Order(1, null, []);
        using var folder = new TemporaryFolder();
        long epoch;
        using (var queue = MessageQueue.Open(folder.PathOf("orders")))
        {
            using var producer = queue.OpenProducer<Shop.Order>(new ProducerOptions());
            producer.Publish(order, new MessageProperties { Time = new DateTimeOffset(2026, 11, 23, 4, 5, 6, TimeSpan.Zero) });
            epoch = queue.Epoch;
        }

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"), "--format", "{{{Id}}} {Epoch} {Bytes} {Time}");

        Assert.Equal((0, $"{{1}} {epoch} {order.ToMessageArray().Length} 2026-11-23T04:05:06.0000000Z\n", ""), (run.Code, run.Output, run.Errors));
    }

    [Fact]
    public async Task Properties_are_shown_below_the_line_of_a_template_too()
    {
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("orders")))
        {
            using var producer = queue.OpenProducer<Shop.Order>(new ProducerOptions());
            producer.Publish(new Shop.Order(1, null, []), new MessageProperties { Reason = "late" });
        }

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"), "--format", "{Id}", "--properties");

        Assert.Equal((0, "1\n  {\"reason\":\"late\"}\n", ""), (run.Code, run.Output, run.Errors));
    }

    [Fact]
    public async Task A_tab_in_a_template_is_one_and_one_in_a_message_is_escaped()
    {
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("orders")))
        {
            using var producer = queue.OpenProducer<Shop.Order>();
            producer.Publish(new Shop.Order(1, "a\tb", []));
        }

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"), "--format", "{Id}\t{Note}");

        Assert.Equal((0, "1\ta\\u0009b\n", ""), (run.Code, run.Output, run.Errors));
    }

    [Fact]
    public async Task A_key_in_a_template_may_have_a_brace()
    {
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("tags")))
        {
            using var producer = queue.OpenProducer<Shop.Tagged>();
            producer.Publish(new Shop.Tagged(1, Note: null, new Dictionary<string, int> { ["a}b"] = 5 }));
        }

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("tags"), "--format", "{Id}: {Totals[\"a}b\"]}");

        Assert.Equal((0, "1: 5\n", ""), (run.Code, run.Output, run.Errors));
    }

    [Fact]
    public async Task Texts_cannot_command_a_terminal()
    {
        using var folder = new TemporaryFolder();
        var path = folder.PathOf("bad\u001b[31mname");
        using (var queue = MessageQueue.Open(path))
        {
            using var producer = queue.OpenProducer<Shop.Order>(new ProducerOptions());
            producer.Publish(new Shop.Order(1, "\u001b]0;owned\u0007\u009b31m\u202eevil\r\n", []), new MessageProperties { Reason = "\u001b[2J", Headers = { ["\u001b"] = "\u009d" } });
            using var consumer = queue.OpenConsumer<RawMessage>("na\u001b[1mme");
        }

        string[][] looks =
        [
            ["ls", folder.Path], ["info", path], ["tail", path, "--properties"], ["tail", path, "--explain"], ["tail", path, "--format", "{Note}"], ["dump", path, "--hex"], ["name", "ls", path],
            ["tail", path, "--json"], ["info", path, "--json"], ["stat", path, "--once", "--interval", "1ms"], ["tail", path, "--name", "n\u001b"], ["info", path + "x"], ["grep", path, "\u001b == 1"],
        ];
        foreach (var look in looks)
        {
            var run = await ToolRun.InProcessAsync(look);
            var text = run.Output + run.Errors;

            Assert.NotEmpty(text);
            Assert.DoesNotContain(text, static character => char.IsControl(character) && character != '\n');
            Assert.DoesNotContain('\u202e', text);
        }
    }

    [Fact]
    public async Task A_message_that_is_not_as_its_schema_says_is_shown_as_bytes_and_ends_with_1()
    {
        using var folder = new TemporaryFolder();
        using (var queue = MessageQueue.Open(folder.PathOf("orders")))
        {
            using var producer = queue.OpenProducer(QueueOfOrders.Schema<Shop.Order>(), verify: false);
            producer.Publish(new byte[] { 1, 2, 3 });
        }

        var run = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"));
        var json = await ToolRun.InProcessAsync("tail", folder.PathOf("orders"), "--json");

        Assert.Equal((1, 1), (run.Code, json.Code));
        Assert.Contains("malformed", run.Output, StringComparison.Ordinal);
        Assert.Contains("01 02 03", run.Output, StringComparison.Ordinal);
        Assert.Contains("\"payload\":\"AQID\",\"error\":", json.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_message_that_is_nested_more_than_1000_deep_is_shown()
    {
        // 64 messages in each other, each in 16 lists of one element: a slot leads to the word after it, and so does the header of the list of messages.
        const int Lists = 16;
        var schema = MessageSchema.Parse($"message Deep\n0 {string.Concat(Enumerable.Repeat("list(", Lists))}message(Deep){new string(')', Lists)} Rest\n");
        IEnumerable<ulong> level = [.. Enumerable.Repeat((8UL << 32) | 1, Lists), 1];
        ulong[] words = [.. Enumerable.Repeat(level, 63).SelectMany(static words => words), 0];
        byte[] message = [1, 0, 1, 0, .. BitConverter.GetBytes(sizeof(ulong) * (words.Length + 1)), .. words.SelectMany(BitConverter.GetBytes)];
        var (fault, depth) = ((string?)"nothing was written", 0);
        Exception? thrown = null;

        // An exception of the thread itself would end the process of the tests.
        var thread = new Thread(() => thrown = Record.Exception(Write), 64 * 1024 * 1024);
        thread.Start();
        thread.Join();

        Assert.Null(thrown);
        Assert.Null(fault);
        Assert.Equal((63 * (Lists + 1)) + 1, depth);

        void Write()
        {
            using var text = new MessageText(isReadable: false);
            fault = text.Write(message, schema);
            depth = text.Json.Count((byte)'{') + text.Json.Count((byte)'[');
        }
    }

    [Fact]
    public async Task Following_shows_messages_as_they_come_until_it_is_interrupted()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);
        using var process = ToolRun.Start(folder.Path, "tail", "./orders", "-f", "--format", "{Id}");
        Assert.Equal("1", await process.StandardOutput.ReadLineAsync().WaitAsync(TimeSpan.FromSeconds(60)));

        using (var queue = MessageQueue.Open(folder.PathOf("orders")))
        {
            using var producer = queue.OpenProducer<Shop.Order>();
            producer.Publish(new Shop.Order(2, null, []));
        }

        Assert.Equal("2", await process.StandardOutput.ReadLineAsync().WaitAsync(TimeSpan.FromSeconds(60)));
        await Signals.InterruptAsync(process);
        await process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(0, process.ExitCode);
    }

    [FileTheory("/bin/sh")]
    [InlineData("tail ./orders -f")]
    [InlineData("grep ./orders Id -f")]
    public async Task Following_ends_with_the_reader_of_the_pipe_although_no_more_message_comes(string command)
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 1);

        var output = await Shell.RunAsync(folder.Path, $"{{ bufferedmessages {command} --format '{{Id}}'; echo $? >&2; }} | head -n 1");

        Assert.Equal("1\n0\n", output);
    }

    [Fact]
    public async Task A_pipe_that_is_closed_ends_a_dump()
    {
        using var folder = new TemporaryFolder();
        QueueOfOrders.Create(folder.PathOf("orders"), 10_000);
        using var process = ToolRun.Start(folder.Path, "dump", "./orders", "--explain");
        Assert.NotNull(await process.StandardOutput.ReadLineAsync().WaitAsync(TimeSpan.FromSeconds(60)));

        process.StandardOutput.Close();

        await process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal((0, ""), (process.ExitCode, await process.StandardError.ReadToEndAsync()));
    }

    private static void Commit(string path, string name)
    {
        using var queue = MessageQueue.Open(path);
        using var consumer = queue.OpenConsumer<RawMessage>(name);
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Commit();
    }
}
