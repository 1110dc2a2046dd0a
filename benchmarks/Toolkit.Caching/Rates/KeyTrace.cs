namespace BufferedMessages.CacheBenchmarks;

/// <summary>The keys that are asked for, one after the other. The same for all policies, and in each run.</summary>
internal sealed class KeyTrace
{
    public const int Keys = 200_000;
    public const int Requests = 600_000;

    private static readonly double[] Zipf99 = Shares(0.99, Keys);
    private static readonly double[] Zipf80 = Shares(0.8, Keys);
    private static readonly double[] WorkingSet = Shares(0.7, 12_000);

    private readonly int[] _places;
    private ulong _state = 1;

    private KeyTrace()
    {
        _places = [.. Enumerable.Range(0, Keys)];
        for (var i = Keys - 1; i > 0; i--)
        {
            var other = Next(i + 1);
            (_places[i], _places[other]) = (_places[other], _places[i]);
        }
    }

    /// <summary>Gets the names of the traces, and what they ask for at a position of the trace.</summary>
    public static IReadOnlyList<(string Name, Func<KeyTrace, int, int, int> Ask)> All { get; } =
    [
        ("zipf 0.99", static (trace, _, _) => trace._places[trace.Next(Zipf99)]),
        ("zipf 0.8", static (trace, _, _) => trace._places[trace.Next(Zipf80)]),

        // 20,000 requests of Zipf, then as many keys in order.
        ("with scans", static (trace, i, _) => i / 20_000 % 2 == 0 ? trace._places[trace.Next(Zipf99)] : ((i / 40_000 * 20_000) + (i % 20_000)) % Keys),
        ("half seen once", static (trace, i, _) => trace.Next(2) == 0 ? Keys + i : trace._places[trace.Next(Zipf99)]),

        // After every 60,000 requests a tenth of all keys later.
        ("drifting", static (trace, i, _) => trace._places[(trace.Next(Zipf99) + (i / 60_000 * 20_000)) % Keys]),

        // A tenth more keys than the budget in a circle; one of ten requests is for any key.
        ("loop", static (trace, i, capacity) => trace.Next(10) == 0 ? trace.Next(Keys) : i % (capacity + (capacity / 10))),

        // A working set of 12,000 keys, of which a third is new after every 60,000 requests; a quarter of the requests are for keys in order.
        ("working set, scans", static (trace, i, _) => i % 12_000 < 9_000
            ? trace._places[(trace.Next(WorkingSet) + (i / 60_000 * 4_000)) % Keys]
            : trace._places[(100_000 + (i / 12_000 * 3_000) + (i % 3_000)) % Keys]),
    ];

    public static int[] Make(Func<KeyTrace, int, int, int> ask, int capacity)
    {
        var trace = new KeyTrace();
        return [.. Enumerable.Range(0, Requests).Select(i => ask(trace, i, capacity))];
    }

    public static ulong Mix(ulong value)
    {
        value = (value + 1) * 0x9E3779B97F4A7C15;
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }

    private static double[] Shares(double exponent, int keys)
    {
        var sums = new double[keys];
        var sum = 0.0;
        for (var i = 0; i < keys; i++)
        {
            sum += Math.Pow(i + 1, -exponent);
            sums[i] = sum;
        }

        return [.. sums.Select(value => value / sum)];
    }

    private double NextPart() => (Mix(_state++) >> 11) * (1.0 / (1UL << 53));

    private int Next(int below) => (int)(NextPart() * below);

    private int Next(double[] shares)
    {
        var found = Array.BinarySearch(shares, NextPart());
        return found >= 0 ? found : ~found;
    }
}
