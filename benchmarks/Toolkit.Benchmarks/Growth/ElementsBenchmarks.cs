using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Growth;

/// <summary>How cost grows with the number of messages in a list: all are written, all or one of them are read.</summary>
[MemoryDiagnoser]
public class ElementsBenchmarks
{
    private byte[] _destination = [];
    private Node _source = new();
    private byte[] _message = [];

    [Params(1, 100, 10_000, 1_000_000)]
    public int Elements { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _source = Node.Row(Elements);
        _message = _source.ToMessageArray();
        _destination = new byte[_message.Length];
    }

    [Benchmark]
    public int Write_BufferedMessages() => _source.Write(_destination);

    [Benchmark]
    public long Read_BufferedMessages()
    {
        var sum = 0L;
        foreach (var child in new NodeBufferedMessage(_message).Children)
        {
            sum += child.Number;
        }

        return sum;
    }

    // The one in the middle, wherever that is.
    [Benchmark]
    public long ReadOne_BufferedMessages() => new NodeBufferedMessage(_message).Children[Elements / 2].Number;
}
