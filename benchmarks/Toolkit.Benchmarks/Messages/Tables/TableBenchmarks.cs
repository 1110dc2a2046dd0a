using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Tables;

/// <summary>The table of three messages; all of them are read by their keys.</summary>
public class TableBenchmarks : MessageBenchmarks<Table, Protobuf.Table>
{
    private readonly string[] _keys = [.. Table.Create().Rows.Keys];

    [GlobalSetup]
    public override void Setup()
    {
        var table = Table.Create();
        Setup(table, TableProtobuf.Convert(table), TableJson.Default.Table);
    }

    protected override bool Verify(ReadOnlySpan<byte> message) => BufferedMessage.Verify<TableBufferedMessage>(message, out _);

    protected override long ReadView(ReadOnlySpan<byte> message)
    {
        var rows = new TableBufferedMessage(message).Rows;
        var sum = 0L;
        foreach (var key in _keys)
        {
            var row = rows[key];
            var name = row.Name.Utf8;
            sum += row.Id + (long)(100 * row.Load) + name.Length + name[^1];
        }

        return sum;
    }

    protected override long Read(Table source)
    {
        var sum = 0L;
        foreach (var key in _keys)
        {
            var row = source.Rows[key];
            sum += row.Id + (long)(100 * row.Load) + row.Name.Length + row.Name[^1];
        }

        return sum;
    }

    protected override long Read(Protobuf.Table source)
    {
        var sum = 0L;
        foreach (var key in _keys)
        {
            var row = source.Rows[key];
            sum += row.Id + (long)(100 * row.Load) + row.Name.Length + row.Name[^1];
        }

        return sum;
    }
}
