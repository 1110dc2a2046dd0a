using System.Diagnostics;
using BufferedMessages.Queues;
using Shop;

namespace BufferedMessages.Tool.Tests;

/// <summary>Export and import, and replay, give the same bytes and properties.</summary>
public sealed class TransferTests : IDisposable
{
    private static readonly string Corpus = Repository.PathOf("tests/Corpus/1/queues");
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    private readonly TemporaryFolder _folder = new();

    public static TheoryData<string> Queues => [.. Directory.EnumerateDirectories(Corpus).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    public void Dispose() => _folder.Dispose();

    [Theory]
    [MemberData(nameof(Queues))]
    public async Task An_export_and_an_import_of_the_corpus_give_the_same_bytes(string name)
    {
        var source = _folder.Copy(Path.Combine(Corpus, name), "source");

        var export = await ToolRun.InProcessAsync("export", source, _folder.PathOf("all.bmx"));
        var import = await ToolRun.InProcessAsync("import", _folder.PathOf("all.bmx"), _folder.PathOf("copy"), "--create");

        Assert.Equal((0, "", 0, ""), (export.Code, export.Errors, import.Code, import.Errors));
        Assert.NotEmpty(RecordsOf(source));
        Assert.Equal(RecordsOf(source), RecordsOf(_folder.PathOf("copy")));
        Assert.Equal(SchemasOf(source), SchemasOf(_folder.PathOf("copy")));
    }

    [Theory]
    [MemberData(nameof(Queues))]
    public async Task A_replay_of_the_corpus_gives_the_same_bytes_and_the_source(string name)
    {
        var source = _folder.Copy(Path.Combine(Corpus, name), "source");

        var run = await ToolRun.InProcessAsync("replay", source, _folder.PathOf("copy"), "--create");

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.Equal(RecordsOf(source, isSourceLeftOut: true), RecordsOf(_folder.PathOf("copy"), isSourceLeftOut: true));
        using var queue = MessageQueue.OpenReadOnly(source);
        using var copy = MessageQueue.OpenReadOnly(_folder.PathOf("copy"));
        using var reader = queue.OpenReader<RawMessage>();
        using var copies = copy.OpenReader<RawMessage>();
        while (reader.TryRead(out var message))
        {
            Assert.True(copies.TryRead(out var copied));
            Assert.Equal(message.Id, copied.Properties.Source);
        }
    }

    [Fact]
    public async Task Properties_of_every_kind_and_several_versions_survive()
    {
        using (var queue = MessageQueue.Open(_folder.PathOf("source"), new MessageQueueOptions { SegmentBytes = 65536, Flush = FlushMode.Interval }))
        using (var producer = queue.OpenProducer<Order>(new ProducerOptions { StampTime = true }))
        {
            queue.OpenProducer(MessageSchema.Parse(AddMember(QueueOfOrders.Schema<Order>().Text))).Dispose();
            var properties = new MessageProperties { CorrelationId = "c-1", ReplyTo = "here", Attempts = 3, Reason = "why", Source = new MessageId(Guid.NewGuid(), 2, 64), TraceContext = new ActivityContext(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded, "a=b") };
            properties.Headers["tenant"] = "north";
            properties.Headers["empty"] = "";
            producer.Publish(new Order(1, "one", []), properties);
            producer.Publish(new Order(2, Note: null, [new OrderLine("Lamp", 1)]));
        }

        Assert.Equal(0, (await ToolRun.InProcessAsync("export", _folder.PathOf("source"), _folder.PathOf("all.bmx"))).Code);
        Assert.Equal(0, (await ToolRun.InProcessAsync("import", _folder.PathOf("all.bmx"), _folder.PathOf("copy"), "--create")).Code);

        Assert.Equal(RecordsOf(_folder.PathOf("source")), RecordsOf(_folder.PathOf("copy")));
        Assert.Equal(2, SchemasOf(_folder.PathOf("copy")).Count);
        Assert.Equal(SchemasOf(_folder.PathOf("source")), SchemasOf(_folder.PathOf("copy")));
    }

    [Fact]
    public async Task A_file_that_another_process_is_writing_is_left_to_it()
    {
        QueueOfOrders.Create(_folder.PathOf("source"), 1);
        var unfinished = _folder.PathOf("all.bmx.creating");
        using (var other = new FileStream(unfinished, FileMode.CreateNew, FileAccess.Write))
        {
            var refused = await ToolRun.InProcessAsync("export", _folder.PathOf("source"), _folder.PathOf("all.bmx"));

            Assert.Equal((2, $"Another process is writing the file '{_folder.PathOf("all.bmx")}'. Wait until it ends, or give another name.\n"), (refused.Code, refused.Errors));
            Assert.True(File.Exists(unfinished));
        }

        Assert.Equal(0, (await ToolRun.InProcessAsync("export", _folder.PathOf("source"), _folder.PathOf("all.bmx"))).Code);
        Assert.False(File.Exists(unfinished));
    }

    [Fact]
    public async Task A_range_and_a_condition_choose_the_messages()
    {
        var positions = QueueOfOrders.Create(_folder.PathOf("source"), 10);

        var export = await ToolRun.InProcessAsync("export", _folder.PathOf("source"), _folder.PathOf("part.bmx"), "--from", $"{positions[2]}", "--to", $"{positions[5]}");
        await ToolRun.InProcessAsync("import", _folder.PathOf("part.bmx"), _folder.PathOf("copy"), "--create", "--from", $"{positions[3]}");
        var replay = await ToolRun.InProcessAsync("replay", _folder.PathOf("source"), _folder.PathOf("copy"), "--where", "Id == 9", "--json");

        Assert.StartsWith("3 messages exported", export.Output, StringComparison.Ordinal);
        Assert.Equal("{\"messages\":1,\"payloadBytes\":", replay.Output[..29]);
        using var copy = MessageQueue.OpenReadOnly(_folder.PathOf("copy"));
        using var reader = copy.OpenReader<OrderBufferedMessage>();
        foreach (var id in new[] { 4, 5, 9 })
        {
            Assert.True(reader.TryRead(out var delivery));
            Assert.Equal(id, delivery.Message.Id);
        }

        Assert.False(reader.TryRead(out _));
    }

    [Fact]
    public async Task A_replay_keeps_the_distances_of_times_and_maps_them_to_now()
    {
        var begin = new DateTimeOffset(2020, 1, 1, 0, 0, 0, TimeSpan.Zero);
        using (var queue = MessageQueue.Open(_folder.PathOf("source")))
        using (var producer = queue.OpenProducer<Order>())
        {
            for (var id = 0; id < 3; id++)
            {
                producer.Publish(new Order(id, Note: null, []), new MessageProperties { Time = begin + TimeSpan.FromMilliseconds(300 * id) });
            }
        }

        var start = DateTimeOffset.UtcNow;
        var run = await ToolRun.InProcessAsync("replay", _folder.PathOf("source"), _folder.PathOf("copy"), "--create", "--speed", "2x", "--map-time");

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.True(DateTimeOffset.UtcNow - start >= TimeSpan.FromMilliseconds(300), "The replay did not wait.");
        using var copy = MessageQueue.OpenReadOnly(_folder.PathOf("copy"));
        using var reader = copy.OpenReader<RawMessage>();
        DateTimeOffset? first = null;
        for (var id = 0; id < 3; id++)
        {
            Assert.True(reader.TryRead(out var delivery));
            first ??= delivery.Properties.Time;
            Assert.Equal(TimeSpan.FromMilliseconds(300 * id), delivery.Properties.Time - first);
        }

        Assert.True(first >= start);
    }

    [Fact]
    public void A_replay_may_be_slower_than_a_span_of_time_can_say()
    {
        var clock = new ReplayClock(new ReplaySpeed(1e-13), new CancellationToken(canceled: true));

        clock.Await(DateTimeOffset.UnixEpoch);

        Assert.Throws<OperationCanceledException>(() => clock.Await(DateTimeOffset.UnixEpoch.AddDays(1)));
    }

    [Fact]
    public async Task A_copy_goes_to_the_queue_in_shared_memory_that_has_the_name_already()
    {
        QueueOfOrders.Create(_folder.PathOf("source"), 2);
        var name = $"tool-tests-{Guid.NewGuid():n}";
        using var shared = MessageQueue.OpenShared(name, new MessageQueueOptions { SegmentBytes = 65536, Slots = 2 });
        try
        {
            var run = await ToolRun.InProcessAsync("replay", _folder.PathOf("source"), name, "--create");

            Assert.Equal((0, ""), (run.Code, run.Errors));
            Assert.Equal(2, RecordsOf(shared.Path).Count);
            Assert.False(Directory.Exists(name));
        }
        finally
        {
            MessageQueue.Delete(shared.Path);
        }
    }

    [Fact]
    public async Task An_export_of_JSON_with_a_message_that_is_not_as_its_schema_says_ends_with_1()
    {
        using (var queue = MessageQueue.Open(_folder.PathOf("source")))
        using (var producer = queue.OpenProducer(QueueOfOrders.Schema<Order>(), verify: false))
        {
            producer.Publish(new byte[40]);
        }

        var output = await ToolRun.InProcessAsync("export", _folder.PathOf("source"), "-", "--json");
        var file = await ToolRun.InProcessAsync("export", _folder.PathOf("source"), _folder.PathOf("all.jsonl"), "--json");

        Assert.Equal((1, 1), (output.Code, file.Code));
        Assert.All([output, file], static run => Assert.Contains("not as the schema says", run.Errors, StringComparison.Ordinal));
        Assert.Equal(output.Output, File.ReadAllText(_folder.PathOf("all.jsonl")));
    }

    [Fact]
    public async Task A_replay_without_times_says_so()
    {
        QueueOfOrders.Create(_folder.PathOf("source"), 2);

        var run = await ToolRun.InProcessAsync("replay", _folder.PathOf("source"), _folder.PathOf("copy"), "--create", "--speed", "1x");

        Assert.Equal(2, run.Code);
        Assert.Contains("has no time", run.Errors, StringComparison.Ordinal);
        Assert.Equal(2, (await ToolRun.InProcessAsync("replay", _folder.PathOf("source"), _folder.PathOf("source"))).Code);
    }

    [Fact]
    public async Task An_import_of_another_schema_is_refused_with_both_lines()
    {
        QueueOfOrders.Create(_folder.PathOf("source"), 2);
        await ToolRun.InProcessAsync("export", _folder.PathOf("source"), _folder.PathOf("all.bmx"));
        using (var queue = MessageQueue.Open(_folder.PathOf("other")))
        {
            queue.OpenProducer(MessageSchema.Parse("message Shop.Order\n0 i64 Id\n")).Dispose();
        }

        var run = await ToolRun.InProcessAsync("import", _folder.PathOf("all.bmx"), _folder.PathOf("other"));

        Assert.Equal(1, run.Code);
        Assert.Contains("0 i32 Id", run.Errors, StringComparison.Ordinal);
        Assert.Contains("0 i64 Id", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_message_that_is_larger_than_a_segment_of_the_destination_ends_a_transfer_with_2_and_a_sentence()
    {
        using (var queue = MessageQueue.Open(_folder.PathOf("source")))
        using (var producer = queue.OpenProducer<Order>())
        {
            producer.Publish(new Order(1, new string('x', 100_000), []));
        }

        QueueOfOrders.Create(_folder.PathOf("copy"), 1, new MessageQueueOptions { SegmentBytes = 65536 });
        await ToolRun.InProcessAsync("export", _folder.PathOf("source"), _folder.PathOf("all.bmx"));

        var replay = await ToolRun.InProcessAsync("replay", _folder.PathOf("source"), _folder.PathOf("copy"));
        var import = await ToolRun.InProcessAsync("import", _folder.PathOf("all.bmx"), _folder.PathOf("copy"));

        Assert.Equal((2, 2), (replay.Code, import.Code));
        Assert.Contains("segment", replay.Errors, StringComparison.Ordinal);
        Assert.Contains("segment", import.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_damaged_or_cut_export_file_is_refused_at_its_block()
    {
        QueueOfOrders.Create(_folder.PathOf("source"), 3);
        await ToolRun.InProcessAsync("export", _folder.PathOf("source"), _folder.PathOf("all.bmx"));
        var bytes = File.ReadAllBytes(_folder.PathOf("all.bmx"));
        using var target = MessageQueue.Open(_folder.PathOf("copy"));
        for (var length = 0; length < bytes.Length; length += 11)
        {
            File.WriteAllBytes(_folder.PathOf("cut.bmx"), bytes[..length]);
            var run = await ToolRun.InProcessAsync("import", _folder.PathOf("cut.bmx"), _folder.PathOf("copy"));
            Assert.True(run.Code is 1 or 2, $"{length} bytes");
        }

        for (var offset = 0; offset < bytes.Length; offset += 7)
        {
            var damaged = (byte[])bytes.Clone();
            damaged[offset] ^= 0x40;
            File.WriteAllBytes(_folder.PathOf("damaged.bmx"), damaged);
            var run = await ToolRun.InProcessAsync("import", _folder.PathOf("damaged.bmx"), _folder.PathOf("copy"));

            // Reserved bytes of block headers, and the zeros after a body, carry nothing.
            Assert.True(run.Code is 1 or 2 || run.Output.StartsWith("3 messages", StringComparison.Ordinal), $"offset {offset}: {run.Output}{run.Errors}");
        }
    }

    [Fact]
    public async Task An_import_from_a_pipe_says_that_it_needs_a_file()
    {
        QueueOfOrders.Create(_folder.PathOf("source"), 3);

        var output = await Shell.RunAsync(_folder.Path, "bufferedmessages export ./source all.bmx > /dev/null; head -c 300 all.bmx | bufferedmessages import /dev/stdin ./copy --create; echo $?");

        Assert.Equal("'/dev/stdin' is not a file. `import` needs its length, so write the export to a file first.\n2\n", output);
        Assert.False(Directory.Exists(_folder.PathOf("copy")));
    }

    [Fact]
    public async Task JSON_lines_are_those_of_dump_and_cannot_be_imported()
    {
        QueueOfOrders.Create(_folder.PathOf("source"), 3);

        var dump = await ToolRun.InProcessAsync("dump", _folder.PathOf("source"), "--json");
        var export = await ToolRun.InProcessAsync("export", _folder.PathOf("source"), "-", "--json");
        await ToolRun.InProcessAsync("export", _folder.PathOf("source"), _folder.PathOf("all.jsonl"), "--json");
        var import = await ToolRun.InProcessAsync("import", _folder.PathOf("all.jsonl"), _folder.PathOf("copy"), "--create");

        Assert.Equal(dump.Output, export.Output);
        Assert.Equal(dump.Output, File.ReadAllText(_folder.PathOf("all.jsonl")));
        Assert.Equal(2, import.Code);
        Assert.Contains("JSON cannot be imported", import.Errors, StringComparison.Ordinal);
        Assert.False(Directory.Exists(_folder.PathOf("copy")));
    }

    [Fact]
    public async Task Ctrl_C_leaves_no_half_file()
    {
        QueueOfOrders.Create(_folder.PathOf("source"), 4_000);
        Assert.Equal(0, (await ToolRun.AsProcessAsync(_folder.Path, "export", "source", "all.bmx")).Code);
        Assert.Equal(["all.bmx"], Directory.GetFiles(_folder.Path).Select(static path => Path.GetFileName(path)));

        // The export is cancelled before its first message.
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();
        var run = await ToolRun.InProcessAsync("", hasColors: false, cancelled.Token, "export", _folder.PathOf("source"), _folder.PathOf("half.bmx"));
        Assert.Equal(2, run.Code);
        Assert.Equal(["all.bmx"], Directory.GetFiles(_folder.Path).Select(static path => Path.GetFileName(path)));
    }

    [Theory]
    [InlineData("import", "all.bmx")]
    [InlineData("replay", "source")]
    public async Task A_full_queue_is_waited_for_and_after_Ctrl_C_the_rest_is_what_from_leaves(string command, string messages)
    {
        QueueOfOrders.Create(_folder.PathOf("source"), 4_000);
        Assert.Equal(0, (await ToolRun.AsProcessAsync(_folder.Path, "export", "source", "all.bmx")).Code);

        // A bounded queue whose consumer does not read stays full.
        using (var ring = MessageQueue.Open(_folder.PathOf("ring"), new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 65536, Slots = 2 }))
        {
            ring.OpenConsumer<RawMessage>("asleep").Dispose();
        }

        using var transfer = ToolRun.Start(_folder.Path, command, messages, "ring");
        Assert.Contains("The queue is full", await transfer.StandardError.ReadLineAsync().WaitAsync(Generous), StringComparison.Ordinal);
        await Signals.InterruptAsync(transfer);
        var words = (await transfer.StandardError.ReadToEndAsync().WaitAsync(Generous)).Split(' ');
        await transfer.WaitForExitAsync().WaitAsync(Generous);
        Assert.Equal(2, transfer.ExitCode);

        var rest = await ToolRun.InProcessAsync(command, _folder.PathOf(messages), _folder.PathOf("rest"), "--create", "--from", words[Array.IndexOf(words, "--from") + 1]);
        Assert.Equal((0, ""), (rest.Code, rest.Errors));
        Assert.Equal(Enumerable.Range(1, 4_000), [.. IdsOf("ring"), .. IdsOf("rest")]);
    }

    [Fact]
    public async Task A_reader_that_has_seen_enough_ends_an_export_quietly()
    {
        QueueOfOrders.Create(_folder.PathOf("source"), 4_000);
        using var export = ToolRun.Start(_folder.Path, "export", "source", "-", "--json");

        Assert.NotNull(await export.StandardOutput.ReadLineAsync().WaitAsync(Generous));
        export.StandardOutput.Close();

        await export.WaitForExitAsync().WaitAsync(Generous);
        Assert.Equal((0, ""), (export.ExitCode, await export.StandardError.ReadToEndAsync()));
    }

    private List<int> IdsOf(string queueName)
    {
        using var queue = MessageQueue.OpenReadOnly(_folder.PathOf(queueName));
        using var reader = queue.OpenReader<OrderBufferedMessage>();
        var ids = new List<int>();
        while (reader.TryRead(out var delivery))
        {
            ids.Add(delivery.Message.Id);
        }

        return ids;
    }

    private static string AddMember(string text)
    {
        var end = text.IndexOf("\nmessage ", 1, StringComparison.Ordinal);
        return text.Insert(end, "\n3 i64 Total");
    }

    private static List<string> SchemasOf(string path)
    {
        using var queue = MessageQueue.OpenReadOnly(path);
        return [.. queue.Schemas.Select(static schema => schema.Text)];
    }

    private static List<string> RecordsOf(string path, bool isSourceLeftOut = false)
    {
        using var queue = MessageQueue.OpenReadOnly(path);
        using var reader = queue.OpenReader<RawMessage>();
        var records = new List<string>();
        while (reader.TryRead(out var delivery))
        {
            var properties = new List<string>();
            for (var entries = new PropertyEntries(delivery.Properties.Entries); entries.Next();)
            {
                if (!isSourceLeftOut || entries.Kind != PropertyKind.Source)
                {
                    properties.Add($"{entries.Kind} {Convert.ToHexString(entries.Data)}");
                }
            }

            records.Add($"{Convert.ToHexString(delivery.Message.Bytes)} {string.Join(", ", properties)}");
        }

        return records;
    }
}
