using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Growth;

/// <summary>How cost grows with the number of members: messages of numbers; all of them are written, and all or one read. A call through a delegate is in every time.</summary>
[MemoryDiagnoser]
public class FieldsBenchmarks
{
    private readonly byte[] _destination = new byte[1024];
    private byte[] _message = [];
    private Func<int> _write = null!;
    private Func<long> _read = null!;
    private Func<long> _readOne = null!;

    [Params(1, 4, 16, 64)]
    public int Fields { get; set; }

    [GlobalSetup]
    public void Setup() => (_write, _read, _readOne) = Fields switch
    {
        1 => Of(new Fields1(), Read1, () => new Fields1BufferedMessage(_message).F0),
        4 => Of(new Fields4(), Read4, () => new Fields4BufferedMessage(_message).F3),
        16 => Of(new Fields16(), Read16, () => new Fields16BufferedMessage(_message).F15),
        _ => Of(new Fields64(), Read64, () => new Fields64BufferedMessage(_message).F63),
    };

    [Benchmark]
    public int Write_BufferedMessages() => _write();

    [Benchmark]
    public long Read_BufferedMessages() => _read();

    [Benchmark]
    public long ReadOne_BufferedMessages() => _readOne();

    private (Func<int> Write, Func<long> Read, Func<long> ReadOne) Of<TSource>(TSource source, Func<long> read, Func<long> readOne)
        where TSource : class, IBufferedMessageSource<TSource>
    {
        _message = source.ToMessageArray();
        return (() => source.Write(_destination), read, readOne);
    }

    private long Read1()
    {
        var view = new Fields1BufferedMessage(_message);
        var sum = 0L + view.F0;
        return sum;
    }

    private long Read4()
    {
        var view = new Fields4BufferedMessage(_message);
        var sum = 0L + view.F0 + view.F1 + view.F2 + view.F3;
        return sum;
    }

    private long Read16()
    {
        var view = new Fields16BufferedMessage(_message);
        var sum = 0L + view.F0 + view.F1 + view.F2 + view.F3 + view.F4 + view.F5 + view.F6 + view.F7;
        sum += view.F8 + view.F9 + view.F10 + view.F11 + view.F12 + view.F13 + view.F14 + view.F15;
        return sum;
    }

    private long Read64()
    {
        var view = new Fields64BufferedMessage(_message);
        var sum = 0L + view.F0 + view.F1 + view.F2 + view.F3 + view.F4 + view.F5 + view.F6 + view.F7;
        sum += view.F8 + view.F9 + view.F10 + view.F11 + view.F12 + view.F13 + view.F14 + view.F15;
        sum += view.F16 + view.F17 + view.F18 + view.F19 + view.F20 + view.F21 + view.F22 + view.F23;
        sum += view.F24 + view.F25 + view.F26 + view.F27 + view.F28 + view.F29 + view.F30 + view.F31;
        sum += view.F32 + view.F33 + view.F34 + view.F35 + view.F36 + view.F37 + view.F38 + view.F39;
        sum += view.F40 + view.F41 + view.F42 + view.F43 + view.F44 + view.F45 + view.F46 + view.F47;
        sum += view.F48 + view.F49 + view.F50 + view.F51 + view.F52 + view.F53 + view.F54 + view.F55;
        sum += view.F56 + view.F57 + view.F58 + view.F59 + view.F60 + view.F61 + view.F62 + view.F63;
        return sum;
    }
}
