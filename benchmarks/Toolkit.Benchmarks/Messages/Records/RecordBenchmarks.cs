using System.Runtime.InteropServices;
using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Records;

/// <summary>A record of a hundred nested structs; all 400 values are read. The floor of reading is an array of the structs.</summary>
public class RecordBenchmarks : MessageBenchmarks<Record, Protobuf.Record>
{
    private byte[] _raw = [];

    [GlobalSetup]
    public override void Setup()
    {
        var source = Record.Create(count: 100);
        _raw = MemoryMarshal.AsBytes<Foobarbazqux>(source.Data).ToArray();
        Setup(source, RecordProtobuf.Convert(source), RecordJson.Default.Record);
    }

    [Benchmark]
    public long Read_RawMemory() => SumOf(MemoryMarshal.Cast<byte, Foobarbazqux>(_raw));

    protected override bool Verify(ReadOnlySpan<byte> message) => BufferedMessage.Verify<RecordBufferedMessage>(message, out _);

    protected override long ReadView(ReadOnlySpan<byte> message) => SumOf(new RecordBufferedMessage(message).Data);

    protected override long Read(Record source) => SumOf(source.Data);

    protected override long Read(Protobuf.Record source)
    {
        var sum = 0L;
        foreach (var data in source.Data)
        {
            sum += data.Foobarbaz.Foobar.Foo + data.Foobarbaz.Foobar.Bar + BitConverter.SingleToInt32Bits(data.Foobarbaz.Baz) + BitConverter.DoubleToInt64Bits(data.Qux);
        }

        return sum;
    }

    // A sum of bits for each member: one chain of additions, or additions of doubles, would take longer than reading them.
    private static long SumOf(ReadOnlySpan<Foobarbazqux> data)
    {
        var (foo, bar, baz, qux) = (0L, 0L, 0L, 0L);
        foreach (ref readonly var element in data)
        {
            foo += element.Foobarbaz.Foobar.Foo;
            bar += element.Foobarbaz.Foobar.Bar;
            baz += BitConverter.SingleToInt32Bits(element.Foobarbaz.Baz);
            qux += BitConverter.DoubleToInt64Bits(element.Qux);
        }

        return foo + bar + baz + qux;
    }
}
