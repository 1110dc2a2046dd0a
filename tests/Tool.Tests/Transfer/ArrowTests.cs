using Apache.Arrow;
using Apache.Arrow.Ipc;

namespace BufferedMessages.Tool.Tests;

public sealed class ArrowTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    private string Measures => _folder.PathOf("measures");

    private string File => _folder.PathOf("measures.arrow");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Each_scalar_member_is_a_column_and_each_message_a_row()
    {
        var moment = new DateTimeOffset(2026, 11, 23, 4, 5, 6, 789, TimeSpan.Zero);
        long[] positions;
        using (var queue = MessageQueue.Open(Measures))
        using (var producer = queue.OpenProducer<Shop.Measure>(new() { StampTime = true }))
        {
            positions =
            [
                producer.Publish(new Shop.Measure(1, "north", 1.5, true, Shop.Grade.Good, 3, moment, new DateOnly(2026, 11, 23), TimeSpan.FromMilliseconds(1.5), 12.50m, [7, 8], [])),
                producer.Publish(new Shop.Measure(-2, Place: null, double.NaN, false, Shop.Grade.Bad, Count: null, DateTimeOffset.UnixEpoch.AddTicks(-1), default, TimeSpan.Zero, -1m, [], [1])),
            ];
        }

        var run = await ToolRun.InProcessAsync("export", Measures, File, "--arrow");

        Assert.Equal((0, "Left out, since they are not scalars: Others.\n"), (run.Code, run.Errors));
        using var batch = Assert.Single(Read());
        Assert.Equal(["@position", "@epoch", "@time", "Id", "Place", "Value", "IsValid", "Grade", "Count", "Moment", "Day", "Span", "Price", "Bytes"], batch.Schema.FieldsList.Select(static field => field.Name));
        Assert.Equal(positions, Column<Int64Array>(batch, "@position").Values.ToArray());
        Assert.NotNull(Column<TimestampArray>(batch, "@time").GetTimestamp(1));
        Assert.Equal([1, -2], Column<Int64Array>(batch, "Id").Values.ToArray());
        Assert.Equal(("north", null), (Column<StringArray>(batch, "Place").GetString(0), Column<StringArray>(batch, "Place").GetString(1)));
        Assert.Equal([1.5, double.NaN], Column<DoubleArray>(batch, "Value").Values.ToArray());
        Assert.Equal((true, false), (Column<BooleanArray>(batch, "IsValid").GetValue(0), Column<BooleanArray>(batch, "IsValid").GetValue(1)));
        Assert.Equal([2, 1], Column<UInt8Array>(batch, "Grade").Values.ToArray().Select(static grade => (int)grade));
        Assert.Equal((3, null), (Column<Int32Array>(batch, "Count").GetValue(0), Column<Int32Array>(batch, "Count").GetValue(1)));
        Assert.Equal((moment, DateTimeOffset.UnixEpoch.AddTicks(-10)), (Column<TimestampArray>(batch, "Moment").GetTimestamp(0), Column<TimestampArray>(batch, "Moment").GetTimestamp(1)));
        Assert.Equal((new DateOnly(2026, 11, 23), default(DateOnly)), (Column<Date32Array>(batch, "Day").GetDateOnly(0), Column<Date32Array>(batch, "Day").GetDateOnly(1)));
        Assert.Equal([1_500, 0], Column<DurationArray>(batch, "Span").Values.ToArray());
        Assert.Equal(("12.50", "-1"), (Column<StringArray>(batch, "Price").GetString(0), Column<StringArray>(batch, "Price").GetString(1)));
        Assert.Equal([7, 8], Column<BinaryArray>(batch, "Bytes").GetBytes(0).ToArray());
        Assert.Empty(Column<BinaryArray>(batch, "Bytes").GetBytes(1).ToArray());
    }

    [Fact]
    public async Task Many_messages_are_several_batches_with_every_row()
    {
        const int Count = 70_000;
        QueueOfOrders.Create(_folder.PathOf("orders"), Count);

        var run = await ToolRun.InProcessAsync("export", _folder.PathOf("orders"), File, "--arrow");

        Assert.Equal(0, run.Code);
        var batches = Read();
        Assert.Equal(2, batches.Count);
        Assert.Equal(Enumerable.Range(1, Count), batches.SelectMany(static batch => Column<Int32Array>(batch, "Id").Values.ToArray()));
        Assert.Equal($"note {Count - 1}", Column<StringArray>(batches[1], "Note").GetString(batches[1].Length - 2));
        Assert.True(Column<StringArray>(batches[1], "Note").IsNull(batches[1].Length - 1));
        batches.ForEach(static batch => batch.Dispose());
    }

    [Fact]
    public async Task A_range_without_a_message_is_a_file_without_a_row()
    {
        QueueOfOrders.Create(_folder.PathOf("orders"), 2);

        var run = await ToolRun.InProcessAsync("export", _folder.PathOf("orders"), File, "--arrow", "--from", "latest");

        Assert.Equal((0, "0 messages exported, 0 B\n"), (run.Code, run.Output));
        Assert.Empty(Read());
    }

    [Fact]
    public async Task Messages_without_a_schema_are_a_column_of_bytes()
    {
        using (var queue = MessageQueue.Open(_folder.PathOf("raw")))
        using (var producer = queue.OpenProducer())
        {
            producer.Publish("one"u8);
            producer.Publish(""u8);
        }

        Assert.Equal(0, (await ToolRun.InProcessAsync("export", _folder.PathOf("raw"), File, "--arrow")).Code);

        using var batch = Assert.Single(Read());
        Assert.Equal("one"u8, Column<BinaryArray>(batch, "payload").GetBytes(0));
        Assert.Equal(0, Column<BinaryArray>(batch, "payload").GetBytes(1).Length);
    }

    [Fact]
    public async Task A_message_that_breaks_its_schema_is_a_row_of_nulls_and_an_answer()
    {
        using (var queue = MessageQueue.Open(_folder.PathOf("orders")))
        using (var producer = queue.OpenProducer(QueueOfOrders.Schema<Shop.Order>(), verify: false))
        {
            producer.Publish(new byte[40]);
        }

        var run = await ToolRun.InProcessAsync("export", _folder.PathOf("orders"), File, "--arrow");

        Assert.Equal(1, run.Code);
        Assert.Contains("1 message not as the schema says", run.Errors, StringComparison.Ordinal);
        using var batch = Assert.Single(Read());
        Assert.True(Column<Int32Array>(batch, "Id").IsNull(0));
        Assert.False(Column<Int64Array>(batch, "@position").IsNull(0));
    }

    private static T Column<T>(RecordBatch batch, string name)
        where T : IArrowArray
        => (T)batch.Column(name);

    private List<RecordBatch> Read()
    {
        using var reader = new ArrowFileReader(System.IO.File.OpenRead(File));
        var batches = new List<RecordBatch>();
        while (reader.ReadNextRecordBatch() is { } batch)
        {
            batches.Add(batch);
        }

        return batches;
    }
}
