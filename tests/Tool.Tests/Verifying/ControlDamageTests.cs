using BufferedMessages.Runtime.Tests.Queues;
using Shop;

namespace BufferedMessages.Tool.Tests;

/// <summary>Queues whose control file is lost, damaged or of another program.</summary>
public sealed class ControlDamageTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    private string Orders => _folder.PathOf("orders");

    private string Control => _folder.PathOf("orders/control");

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4095)]
    [InlineData(4096)]
    [InlineData(100_000)]
    public async Task A_control_file_that_was_cut_off_is_named_and_made_anew_with_every_message(int length)
    {
        Fill();
        using (var control = new FileStream(Control, FileMode.Open))
        {
            control.SetLength(length);
        }

        await RequireRebuilt(rule: null, "--schema", SchemaFile());
    }

    [Fact]
    public async Task A_missing_control_file_is_named_and_made_anew_with_every_message()
    {
        Fill();
        File.Delete(Control);

        await RequireRebuilt("missing", "--schema", SchemaFile());
    }

    [Fact]
    public async Task A_pipe_in_the_place_of_a_control_file_is_not_waited_for_and_the_file_is_made_anew_with_every_message()
    {
        Fill();
        Assert.Empty(await Shell.RunAsync(_folder.Path, "rm orders/control && mkfifo orders/control"));

        await Task.Run(() => RequireRebuilt("not a regular file", "--schema", SchemaFile())).WaitAsync(TimeSpan.FromSeconds(60));
    }

    [Fact]
    public async Task A_control_file_with_an_impossible_word_keeps_its_schema_and_its_names()
    {
        Fill();
        using (var queue = MessageQueue.OpenExisting(Orders))
        using (var consumer = queue.OpenConsumer<OrderBufferedMessage>("audit"))
        {
            Assert.True(consumer.TryRead(out var delivery));
            delivery.Commit();
        }

        QueueDirectory.Damage(Control, 8, 9);

        await RequireRebuilt("the mode 9 is unknown");

        using var again = MessageQueue.OpenExisting(Orders);
        using var audit = again.OpenConsumer<OrderBufferedMessage>("audit");
        Assert.True(audit.TryRead(out var second));
        Assert.Equal(2, second.Message.Id);
    }

    // The required features, and the flush mode. A repair that took the wrong one for right would make padding of every message.
    [Theory]
    [InlineData(QueueFormat.ControlRequiredFeaturesOffset)]
    [InlineData(80)]
    public async Task A_bit_by_which_a_queue_would_have_checksums_is_named_and_costs_no_message(int offset)
    {
        Fill();
        QueueDirectory.Damage(Control, offset, 1);

        var check = await ToolRun.InProcessAsync("verify", Orders, "--all");
        var repair = await ToolRun.InProcessAsync("repair", Orders, "--apply");
        var rebuild = await ToolRun.InProcessAsync("repair", Orders, "--rebuild-control", "--apply");

        Assert.Equal((1, 1), (check.Code, repair.Code));
        Assert.Contains("damaged  control at 28: a queue has checksums if it has a flush mode", check.Output, StringComparison.Ordinal);
        Assert.True(rebuild.Code == 0, rebuild.Output + rebuild.Errors);
        Assert.Equal(0, (await ToolRun.InProcessAsync("verify", Orders, "--all")).Code);
        Assert.Equal(5, (await ToolRun.InProcessAsync("dump", Orders, "--json")).Lines.Length);
    }

    // A program of another content would store its own.
    [Fact]
    public async Task A_content_that_is_undecided_beside_segments_is_named_and_made_anew()
    {
        Fill();
        QueueDirectory.Damage(Control, QueueFormat.ControlContentOffset, 0);

        var check = await ToolRun.InProcessAsync("verify", Orders);
        var rebuild = await ToolRun.InProcessAsync("repair", Orders, "--rebuild-control", "--apply");

        Assert.Equal(1, check.Code);
        Assert.Contains("damaged  control at 64: the content is undecided, although there are segments", check.Output, StringComparison.Ordinal);
        Assert.True(rebuild.Code == 0, rebuild.Output + rebuild.Errors);
        Assert.Equal(0, (await ToolRun.InProcessAsync("verify", Orders, "--all")).Code);
        Assert.Throws<SchemaMismatchException>(() => OpenValues(Orders));

        static void OpenValues(string path)
        {
            using var queue = MessageQueue.OpenExisting(path);
            queue.OpenValueProducer<long>().Dispose();
        }
    }

    // A program that adds a version stores its length last.
    [Fact]
    public async Task A_version_of_the_schema_that_was_not_added_does_not_cost_the_others()
    {
        Fill();
        QueueDirectory.Damage(Control, 200_192 + BitConverter.ToInt32(File.ReadAllBytes(Control), 68), "\nmessage Shop.Order\n0 i3"u8);
        QueueDirectory.Damage(Control, 8, 9);

        await RequireRebuilt("the mode 9 is unknown");
    }

    [Fact]
    public async Task A_lost_schema_is_asked_for()
    {
        Fill();
        File.Delete(Control);

        var run = await ToolRun.InProcessAsync("repair", Orders, "--rebuild-control", "--apply");

        Assert.Equal(1, run.Code);
        Assert.Contains("Give its text", run.Errors, StringComparison.Ordinal);
        Assert.False(File.Exists(Control));
    }

    [Fact]
    public async Task Damage_that_no_step_repairs_is_named_before_anything_is_applied()
    {
        Fill();
        QueueDirectory.Damage(Control, 200_192, (byte)'x');

        var plan = await ToolRun.InProcessAsync("repair", Orders);
        var repair = await ToolRun.InProcessAsync("repair", Orders, "--apply");

        Assert.Equal((1, 1), (plan.Code, repair.Code));
        Assert.Contains("damaged  control at 200,192: the stored text is not a schema", plan.Output, StringComparison.Ordinal);
        Assert.Equal(plan.Output, repair.Output);
    }

    // The length of the text, which then ends after the size of a value; its fingerprint.
    [Theory]
    [InlineData(68, 10)]
    [InlineData(72, 0)]
    public async Task A_damaged_content_of_values_is_named_and_made_anew(int offset, int number)
    {
        using (var queue = MessageQueue.Open(Orders, new MessageQueueOptions { SegmentBytes = 65536 }))
        using (var producer = queue.OpenValueProducer<long>())
        {
            producer.Publish(42L);
        }

        QueueDirectory.Damage(Control, offset, BitConverter.GetBytes(number));

        var check = await ToolRun.InProcessAsync("verify", Orders, "--all");
        var rebuild = await ToolRun.InProcessAsync("repair", Orders, "--rebuild-control", "--apply");

        Assert.Equal(1, check.Code);
        Assert.Contains("damaged  control at 72: it is not the fingerprint of the stored text", check.Output, StringComparison.Ordinal);
        Assert.True(rebuild.Code == 0, rebuild.Output + rebuild.Errors);
        Assert.Equal(0, (await ToolRun.InProcessAsync("verify", Orders, "--all")).Code);
        using var again = MessageQueue.OpenExisting(Orders);
        using var reader = again.OpenReader<ValueMessage<long>>();
        Assert.True(reader.TryRead(out var delivery));
        Assert.Equal(42, delivery.Message.Value);
    }

    [Theory]
    [InlineData("Give one of", "--cut-at", "128", "--release-dead")]
    [InlineData("Give one of", "--rebuild-control", "--cut-at", "128")]
    [InlineData("--schema is for --rebuild-control", "--schema", "order.schema")]
    public async Task Options_of_different_repairs_are_refused_together(string reason, params string[] options)
    {
        Fill();

        var run = await ToolRun.InProcessAsync(["repair", Orders, .. options, "--apply"]);

        Assert.Equal(2, run.Code);
        Assert.Contains(reason, run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_queue_of_a_later_version_ends_with_2()
    {
        Fill();
        QueueDirectory.Damage(Control, 4, 3);

        var run = await ToolRun.InProcessAsync("verify", Orders);

        Assert.Equal(2, run.Code);
        Assert.Contains("Update the BufferedMessages package", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Files_that_belong_to_no_part_are_named_and_are_no_damage()
    {
        Fill();
        File.WriteAllText(_folder.PathOf("orders/leases/stranger"), "");
        File.WriteAllText(_folder.PathOf("orders/notes.txt"), "");
        File.Copy(_folder.PathOf("orders/00000000000000000000.segment"), _folder.PathOf("orders/00000000000000655360.segment"));

        var run = await ToolRun.InProcessAsync("verify", Orders, "--all");

        Assert.Contains("orphan  stranger: the lease of no participant", run.Output, StringComparison.Ordinal);
        Assert.Contains("orphan  notes.txt: the queue has no such file", run.Output, StringComparison.Ordinal);
        Assert.Contains("orphan  00000000000000655360.segment: a segment after the end of the queue", run.Output, StringComparison.Ordinal);
        Assert.Equal(0, run.Code);
    }

    [Theory]
    [InlineData("bridges")]
    [InlineData("dead")]
    [InlineData("replies")]
    public async Task A_folder_of_bridges_or_handlers_belongs_to_the_queue(string name)
    {
        Fill();
        Directory.CreateDirectory(_folder.PathOf($"orders/{name}"));

        var run = await ToolRun.InProcessAsync("verify", Orders, "--all");

        Assert.DoesNotContain($"orphan  {name}", run.Output, StringComparison.Ordinal);
        Assert.Equal(0, run.Code);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_missing_folder_of_leases_is_named(bool isFileInItsPlace)
    {
        Fill();
        var leases = _folder.PathOf("orders/leases");
        Directory.Delete(leases, recursive: true);
        if (isFileInItsPlace)
        {
            File.WriteAllText(leases, "");
        }

        var verify = await ToolRun.InProcessAsync("verify", Orders);
        var repair = await ToolRun.InProcessAsync("repair", Orders);

        Assert.Equal((1, 1), (verify.Code, repair.Code));
        Assert.All([verify, repair], static run => Assert.Contains("damaged  leases: the folder is missing", run.Output, StringComparison.Ordinal));
        File.Delete(leases);
        Directory.CreateDirectory(leases);
        Assert.Equal(0, (await ToolRun.InProcessAsync("verify", Orders)).Code);
    }

    [Fact]
    public async Task A_message_that_breaks_its_schema_is_named_only_when_messages_are_verified()
    {
        long position;
        using (var queue = MessageQueue.Open(Orders, new MessageQueueOptions { SegmentBytes = 65536 }))
        {
            using var producer = queue.OpenProducer(QueueOfOrders.Schema<Order>(), verify: false);
            position = producer.Publish(new byte[40]);
        }

        Assert.Equal(0, (await ToolRun.InProcessAsync("verify", Orders, "--checksums")).Code);
        var run = await ToolRun.InProcessAsync("verify", Orders, "--messages");

        Assert.Equal(1, run.Code);
        Assert.Contains($" at {position}: the message breaks a rule of its schema", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_end_is_cut_off_by_hand_and_kept()
    {
        var positions = Fill();

        var run = await ToolRun.InProcessAsync("repair", Orders, "--cut-at", $"{positions[3]}", "--apply");

        Assert.Equal((0, ""), (run.Code, run.Errors));
        Assert.Equal(3, (await ToolRun.InProcessAsync("dump", Orders, "--json")).Lines.Length);
        Assert.NotEmpty(Directory.GetFiles(_folder.PathOf("orders/lost+found"), "*.segment", SearchOption.AllDirectories));
        var within = await ToolRun.InProcessAsync("repair", Orders, "--cut-at", $"{positions[1] + 8}");
        Assert.Equal((2, $"No record begins at {positions[1] + 8}. `verify` and `dump` show positions.\n"), (within.Code, within.Errors));
    }

    [Fact]
    public async Task A_queue_with_a_living_participant_is_not_repaired()
    {
        Fill();
        var segment = _folder.PathOf("orders/00000000000000000000.segment");
        QueueDirectory.Damage(segment, 130, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF);
        using var queue = MessageQueue.OpenExisting(Orders);
        using var consumer = queue.OpenConsumer<RawMessage>("alive");
        var before = File.ReadAllBytes(segment);

        var run = await ToolRun.InProcessAsync("repair", Orders, "--apply");

        Assert.Equal(2, run.Code);
        Assert.Contains($"{Environment.ProcessId}", run.Errors, StringComparison.Ordinal);
        Assert.Equal(before, File.ReadAllBytes(segment));
    }

    [Fact]
    public async Task The_slot_of_a_killed_producer_is_named_and_freed_beside_a_living_one()
    {
        QueueOfOrders.Create(Orders, 4_000, new MessageQueueOptions { SegmentBytes = 65536 });
        Assert.Equal(0, (await ToolRun.AsProcessAsync(_folder.Path, "export", "orders", "all.bmx")).Code);
        using var ring = MessageQueue.Open(_folder.PathOf("ring"), new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 65536, Slots = 2 });
        using var living = ring.OpenConsumer<RawMessage>("asleep");
        using (var import = ToolRun.Start(_folder.Path, "import", "all.bmx", "ring"))
        {
            Assert.Contains("The queue is full", await import.StandardError.ReadLineAsync().WaitAsync(TimeSpan.FromSeconds(60)), StringComparison.Ordinal);
            import.Kill();
            await import.WaitForExitAsync();
        }

        var check = await ToolRun.AsProcessAsync(_folder.Path, "verify", "ring", "--all");
        Assert.Equal((0, ""), (check.Code, check.Errors));
        Assert.Contains("dead  2: participant 2, a producer of process", check.Output, StringComparison.Ordinal);

        var plan = await ToolRun.InProcessAsync("repair", _folder.PathOf("ring"), "--release-dead");
        Assert.Contains("would  free its slot: participant 2", plan.Output, StringComparison.Ordinal);
        var run = await ToolRun.InProcessAsync("repair", _folder.PathOf("ring"), "--release-dead", "--apply");
        Assert.Equal("now  participant 2 is free\n", run.Output);
        Assert.DoesNotContain("dead", (await ToolRun.InProcessAsync("verify", _folder.PathOf("ring"))).Output, StringComparison.Ordinal);
        Assert.True(living.TryRead(out _));
    }

    private IReadOnlyList<long> Fill() => QueueOfOrders.Create(Orders, 5, new MessageQueueOptions { SegmentBytes = 65536 });

    private string SchemaFile()
    {
        var path = _folder.PathOf("order.schema");
        File.WriteAllText(path, QueueOfOrders.Schema<Order>().Text);
        return path;
    }

    private async Task RequireRebuilt(string? rule, params string[] options)
    {
        var check = await ToolRun.InProcessAsync("verify", Orders);
        Assert.Equal(1, check.Code);
        Assert.Matches("^damaged  control at (0|8|48): ", check.Output);
        Assert.Contains(rule ?? "", check.Output, StringComparison.Ordinal);

        var run = await ToolRun.InProcessAsync(["repair", Orders, "--rebuild-control", "--apply", .. options]);

        Assert.True(run.Code == 0, run.Output + run.Errors);
        Assert.Equal(0, (await ToolRun.InProcessAsync("verify", Orders, "--all")).Code);
        using var queue = MessageQueue.OpenExisting(Orders);
        using (var producer = queue.OpenProducer<Order>())
        {
            producer.Publish(new Order(6, Note: null, []));
        }

        using var reader = queue.OpenReader<OrderBufferedMessage>();
        for (var id = 1; id <= 6; id++)
        {
            Assert.True(reader.TryRead(out var delivery));
            Assert.Equal(id, delivery.Message.Id);
        }
    }
}
