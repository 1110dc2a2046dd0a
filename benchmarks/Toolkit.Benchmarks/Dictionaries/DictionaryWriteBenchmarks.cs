using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Dictionaries;

/// <summary>Writes entries as a dictionary and as a list of pairs, to a reused buffer.</summary>
[MemoryDiagnoser]
public class DictionaryWriteBenchmarks
{
    private PriceTable _table = new();
    private PriceList _list = new();
    private byte[] _destination = [];

    [Params(10, 100, 1000, 10_000)]
    public int Entries { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _table = PriceTable.Create(Entries);
        _list = PriceList.Of(_table);
        _destination = new byte[2 * Math.Max(_table.CalculateSize(), _list.CalculateSize())];
    }

    [Benchmark]
    public int Size_BufferedMessages() => _table.CalculateSize();

    [Benchmark]
    public int Size_ListOfPairs() => _list.CalculateSize();

    [Benchmark]
    public int Write_BufferedMessages() => _table.Write(_destination);

    [Benchmark]
    public int Write_ListOfPairs() => _list.Write(_destination);
}
