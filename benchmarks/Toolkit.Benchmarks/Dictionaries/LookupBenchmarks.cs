using System.Collections.Frozen;
using System.Text;
using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Dictionaries;

/// <summary>
/// Looks up keys that are there, in random order, in a message and in a frozen dictionary of the same entries. The message is looked up by
/// UTF-8 bytes and by strings, the frozen dictionary by strings. Of a million entries most are in no cache of the processor.
/// </summary>
[MemoryDiagnoser]
public class LookupBenchmarks
{
    private const int Lookups = 4096;

    private readonly Data _few = new(8);
    private readonly Data _thousand = new(1000);
    private readonly Data _million = new(1_000_000);

    [Benchmark(OperationsPerInvoke = Lookups)]
    public long Lookup8_FrozenDictionary() => _few.SumFrozen();

    [Benchmark(OperationsPerInvoke = Lookups)]
    public long Lookup8_BufferedMessages() => _few.SumByUtf8();

    [Benchmark(OperationsPerInvoke = Lookups)]
    public long Lookup8ByString_BufferedMessages() => _few.SumByString();

    [Benchmark(OperationsPerInvoke = Lookups)]
    public long Lookup1000_FrozenDictionary() => _thousand.SumFrozen();

    [Benchmark(OperationsPerInvoke = Lookups)]
    public long Lookup1000_BufferedMessages() => _thousand.SumByUtf8();

    [Benchmark(OperationsPerInvoke = Lookups)]
    public long Lookup1000ByString_BufferedMessages() => _thousand.SumByString();

    [Benchmark(OperationsPerInvoke = Lookups)]
    public long Lookup1000000_FrozenDictionary() => _million.SumFrozen();

    [Benchmark(OperationsPerInvoke = Lookups)]
    public long Lookup1000000_BufferedMessages() => _million.SumByUtf8();

    [Benchmark(OperationsPerInvoke = Lookups)]
    public long Lookup1000000ByString_BufferedMessages() => _million.SumByString();

    /// <summary>A table of one size, and the keys that are looked up in it.</summary>
    private sealed class Data
    {
        private readonly byte[] _message;
        private readonly FrozenDictionary<string, long> _frozen;
        private readonly string[] _keys;
        private readonly byte[][] _utf8Keys;

        public Data(int count)
        {
            var table = PriceTable.Create(count);
            var random = new Random(count);
            var names = table.Prices.Keys.ToArray();
            _message = table.ToMessageArray();
            _frozen = table.Prices.ToFrozenDictionary(StringComparer.Ordinal);

            // Copies: the strings of the dictionary itself would be compared by reference.
            _keys = [.. Enumerable.Range(0, Lookups).Select(_ => new string(names[random.Next(count)].AsSpan()))];
            _utf8Keys = Array.ConvertAll(_keys, Encoding.UTF8.GetBytes);
            if (SumByUtf8() != SumFrozen() || SumByString() != SumFrozen())
            {
                throw new InvalidOperationException("The lookups find different values.");
            }
        }

        public long SumFrozen()
        {
            var sum = 0L;
            foreach (var key in _keys)
            {
                sum += _frozen[key];
            }

            return sum;
        }

        public long SumByUtf8()
        {
            var prices = new PriceTableBufferedMessage(_message).Prices;
            var sum = 0L;
            foreach (var key in _utf8Keys)
            {
                sum += prices[key];
            }

            return sum;
        }

        public long SumByString()
        {
            var prices = new PriceTableBufferedMessage(_message).Prices;
            var sum = 0L;
            foreach (var key in _keys)
            {
                sum += prices[key];
            }

            return sum;
        }
    }
}
