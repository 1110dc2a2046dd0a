using BenchmarkDotNet.Attributes;

namespace Toolkit.Benchmarks.Dictionaries;

/// <summary>Writes a thousand entries as a dictionary and as a list of pairs, to a reused buffer.</summary>
[MemoryDiagnoser]
public class DictionaryWriteBenchmarks
{
    private const int Entries = 1000;

    private readonly PriceTable _table = PriceTable.Create(Entries);
    private readonly PriceList _list = PriceList.Of(PriceTable.Create(Entries));
    private readonly byte[] _destination = new byte[256 * 1024];

    [Benchmark]
    public int Size_BufferedMessages() => _table.CalculateSize();

    [Benchmark]
    public int Size_ListOfPairs() => _list.CalculateSize();

    [Benchmark]
    public int Write_BufferedMessages() => _table.Write(_destination);

    [Benchmark]
    public int Write_ListOfPairs() => _list.Write(_destination);
}
