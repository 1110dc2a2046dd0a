using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Growth;

/// <summary>How cost grows with nesting: a message in a message, and so on; the numbers of all are read on the way down.</summary>
[MemoryDiagnoser]
public class NestingBenchmarks
{
    private readonly byte[] _destination = new byte[4096];
    private Node _source = new();
    private byte[] _message = [];

    [Params(1, 4, 16, 64)]
    public int Depth { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _source = Node.Chain(Depth);
        _message = _source.ToMessageArray();
    }

    [Benchmark]
    public int Write_BufferedMessages() => _source.Write(_destination);

    [Benchmark]
    public long Read_BufferedMessages()
    {
        var sum = 0L;
        var node = new NodeBufferedMessage(_message);
        for (var i = 0; i < Depth; i++)
        {
            sum += node.Number;
            node = node.Child;
        }

        return sum;
    }
}
