using System.Text.Json;
using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Tool.Tests;

/// <summary>Damage of the control file's tables, of which a participant would read a wrong place.</summary>
public sealed class TableDamageTests : IDisposable
{
    private readonly QueueDirectory _directory = new(QueueMode.Durable, ProducerMode.Multiple);

    public void Dispose() => _directory.Dispose();

    // The tail hint; the role of participant 1, the cursor of participant 2; the kind of the first name, its length and its position.
    [Theory]
    [InlineData(256, 8, 256, true)]
    [InlineData(256 + 7, 0x7F, 256, true)]
    [InlineData(4096 + 384, 9, 4096 + 384, false)]
    [InlineData(4096 + (2 * 384) + 20, 1, 4096 + (2 * 384) + 20, false)]
    [InlineData(4096 + (256 * 384), 7, 4096 + (256 * 384), false)]
    [InlineData(4096 + (256 * 384), 0, 4096 + (256 * 384), false)]
    [InlineData(4096 + (256 * 384) + 8, 0, 4096 + (256 * 384), false)]
    [InlineData(4096 + (256 * 384) + 9, 1, 4096 + (256 * 384), false)]
    [InlineData(4096 + (256 * 384) + 135, 0x80, 4096 + (256 * 384) + 128, true)]
    public async Task A_damaged_word_is_named_and_every_message_comes_back(int offset, byte value, int position, bool isMoved)
    {
        using var crashed = FillAndCrash();
        QueueDirectory.Damage(crashed.ControlFile, offset, value);

        var check = await ToolRun.InProcessAsync("verify", crashed.Path, "--json");
        var repair = await ToolRun.InProcessAsync("repair", crashed.Path, "--apply");
        var rebuild = isMoved ? repair : await ToolRun.InProcessAsync("repair", crashed.Path, "--rebuild-control", "--apply");

        var damage = check.Lines.Select(static line => JsonDocument.Parse(line).RootElement)
            .Where(static line => line.TryGetProperty("finding", out var kind) && kind.GetString() == "damaged").ToList();
        Assert.True(damage.Count == 1, check.Output);
        Assert.Equal((crashed.ControlFile, position), (damage[0].GetProperty("file").GetString(), damage[0].GetProperty("position").GetInt32()));
        Assert.True(repair.Code == (isMoved ? 0 : 1), repair.Output + repair.Errors);
        Assert.True(rebuild.Code == 0, rebuild.Output + rebuild.Errors);
        Assert.Equal(0, (await ToolRun.InProcessAsync("verify", crashed.Path, "--all")).Code);
        using var queue = MessageQueue.OpenExisting(crashed.Path);
        using var consumer = queue.OpenConsumer<RawMessage>("another");
        Assert.Equal(Enumerable.Range(0, 3), Payload.ReadNumbers(consumer));
    }

    // At the end it would say that all messages are on the disk, and a repair after a crash of the machine would keep what is torn before it.
    [Fact]
    public async Task A_durable_position_after_the_end_moves_to_the_first_record()
    {
        using var crashed = FillAndCrash();
        QueueDirectory.Damage(crashed.ControlFile, 1152, BitConverter.GetBytes(QueueDirectory.SmallSegment / 2));

        var repair = await ToolRun.InProcessAsync("repair", crashed.Path, "--apply");

        Assert.True(repair.Code == 0, repair.Output + repair.Errors);
        using var queue = MessageQueue.OpenExisting(crashed.Path);
        Assert.Equal(0, queue.DurablePosition);
    }

    [Fact]
    public async Task The_control_file_is_kept_as_it_was_before_its_positions_move()
    {
        using var crashed = FillAndCrash();
        QueueDirectory.Damage(crashed.ControlFile, 1152, BitConverter.GetBytes(QueueDirectory.SmallSegment / 2));

        var repair = await ToolRun.InProcessAsync("repair", crashed.Path, "--apply");

        Assert.True(repair.Code == 0, repair.Output + repair.Errors);
        var kept = Assert.Single(Directory.GetFiles(Path.Combine(crashed.Path, "lost+found"), "control", SearchOption.AllDirectories));
        Assert.Equal(QueueDirectory.SmallSegment / 2, BitConverter.ToInt64(await File.ReadAllBytesAsync(kept), 1152));
        Assert.Contains("were moved", await File.ReadAllTextAsync(Path.Combine(Path.GetDirectoryName(kept)!, "report.txt")), StringComparison.Ordinal);
    }

    // No other place says which message it was.
    [Fact]
    public async Task A_damaged_announcement_of_a_member_costs_its_group_no_message()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        Payload.PublishNumbers(producer, 0, 3);
        Assert.True(member.TryRead(out _));
        using var crashed = _directory.Crash();
        QueueDirectory.Damage(crashed.ControlFile, 4096 + (2 * 384) + 256, BitConverter.GetBytes((QueueDirectory.FirstRecord + 16 + 1) * 2));

        var check = await ToolRun.InProcessAsync("verify", crashed.Path);
        var repair = await ToolRun.InProcessAsync("repair", crashed.Path, "--apply");

        Assert.Contains("the message in flight of participant 2 is 144, within the record at 128", check.Output, StringComparison.Ordinal);
        Assert.True(repair.Code == 0, repair.Output + repair.Errors);
        using var again = MessageQueue.OpenExisting(crashed.Path);
        using var other = again.OpenConsumer<RawMessage>("group", new() { Shared = true });
        Assert.Equal(Enumerable.Range(0, 3), Payload.ReadNumbers(other));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(128)]
    public async Task A_reservation_that_no_producer_writes_is_named_and_becomes_padding(int word)
    {
        using var queue = _directory.Open();
        using var dying = queue.OpenProducer();
        using var producer = queue.OpenProducer();
        HoldClaim(dying);
        Payload.PublishNumbers(producer, 0, 3);
        using var crashed = _directory.Crash();
        Assert.Equal(0, (await ToolRun.InProcessAsync("verify", crashed.Path)).Code);
        QueueDirectory.Damage(crashed.ControlFile, 4096 + 384 + word, new byte[8]);

        var check = await ToolRun.InProcessAsync("verify", crashed.Path);
        var repair = await ToolRun.InProcessAsync("repair", crashed.Path, "--apply");

        Assert.Equal(1, check.Code);
        Assert.Contains($" at {QueueDirectory.FirstRecord}: participant 1, which reserved the record, is not a producer that writes it", check.Output, StringComparison.Ordinal);
        Assert.True(repair.Code == 0, repair.Output + repair.Errors);
        using var again = MessageQueue.OpenExisting(crashed.Path);
        using var first = again.OpenProducer();
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.Equal(Enumerable.Range(0, 3), Payload.ReadNumbers(consumer));

        static void HoldClaim(MessageProducer producer) => producer.Claim(100).Span.Clear();
    }

    // A reader would wait at the reservation for the next owner of the slot.
    [Theory]
    [InlineData(QueueMode.Durable, ProducerMode.Multiple)]
    [InlineData(QueueMode.Durable, ProducerMode.Single)]
    [InlineData(QueueMode.Bounded, ProducerMode.Multiple)]
    [InlineData(QueueMode.Bounded, ProducerMode.Single)]
    public async Task A_dead_producer_without_a_role_holds_up_no_reader_after_a_repair(QueueMode mode, ProducerMode producers)
    {
        using var directory = new QueueDirectory(mode, producers);
        using var queue = directory.Open();
        using var dying = queue.OpenProducer();
        Payload.PublishNumbers(dying, 0, 3);
        HoldClaim(dying);
        using var crashed = directory.Crash();
        QueueDirectory.Damage(crashed.ControlFile, 4096 + 384, new byte[4]);
        if (producers == ProducerMode.Multiple)
        {
            // The next producer has its slot.
            using var again = MessageQueue.OpenExisting(crashed.Path);
            using var other = again.OpenProducer();
            other.Publish(Payload.Of(3));
        }

        var repair = await ToolRun.InProcessAsync("repair", crashed.Path, "--apply");

        Assert.True(repair.Code == 0, repair.Output + repair.Errors);
        Assert.Equal(0, (await ToolRun.InProcessAsync("verify", crashed.Path, "--all")).Code);
        using var repaired = MessageQueue.OpenExisting(crashed.Path);
        using var producer = repaired.OpenProducer();
        producer.Publish(Payload.Of(4));
        using var consumer = repaired.OpenConsumer<RawMessage>("all");
        Assert.Equal(producers == ProducerMode.Multiple ? [0, 1, 2, 3, 4] : [0, 1, 2, 4], Payload.ReadNumbers(consumer));

        static void HoldClaim(MessageProducer producer) => producer.Claim(100).Span.Clear();
    }

    [Fact]
    public async Task The_names_beside_a_damaged_one_keep_their_cursors()
    {
        using var crashed = FillAndCrash();
        using (var queue = MessageQueue.OpenExisting(crashed.Path))
        using (var consumer = queue.OpenConsumer<RawMessage>("group", new() { Shared = true }))
        {
            Assert.True(consumer.TryRead(out var delivery));
            delivery.Commit();
        }

        QueueDirectory.Damage(crashed.ControlFile, 4096 + (256 * 384), 0);
        using (var queue = MessageQueue.OpenExisting(crashed.Path))
        {
            Assert.Throws<QueueCorruptedException>(() => queue.OpenConsumer<RawMessage>("group", new() { Shared = true }));
            Assert.Throws<QueueCorruptedException>(() => queue.OpenConsumer<RawMessage>("risk"));
        }

        var rebuild = await ToolRun.InProcessAsync("repair", crashed.Path, "--rebuild-control", "--apply");

        Assert.True(rebuild.Code == 0, rebuild.Output + rebuild.Errors);
        using var again = MessageQueue.OpenExisting(crashed.Path);
        using var group = again.OpenConsumer<RawMessage>("group", new() { Shared = true });
        Assert.Equal([1, 2], Payload.ReadNumbers(group));
    }

    // The participants are there when the files are copied.
    private QueueDirectory FillAndCrash()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        using var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        Payload.PublishNumbers(producer, 0, 3);
        return _directory.Crash();
    }
}
