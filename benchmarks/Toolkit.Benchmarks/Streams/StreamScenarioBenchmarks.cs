using BenchmarkDotNet.Attributes;
using BufferedMessages;
using Microsoft.IO;

namespace Toolkit.Benchmarks.Streams;

/// <summary>
/// What RecyclableMemoryStream is known by: 1,000 streams with one write of 10 to 80 KB, streams of 100 KB that are written in small parts or byte by byte,
/// streams of 4 MB in parts of 64 KB, with a known length and without, and sequences, buffers and copies of 1 MB; against it, and against memory streams.
/// </summary>
[MemoryDiagnoser]
public class StreamScenarioBenchmarks
{
    private const int Streams = 1_000;
    private const int HintBytes = 100 * 1024;
    private const int Parts = 64;

    private readonly BufferPool _pool = new();
    private readonly RecyclableMemoryStreamManager _manager = new();
    private readonly byte[] _content = new byte[80 * 1024];
    private readonly int[] _sizes = new int[Streams];
    private readonly byte[] _part = new byte[100];
    private readonly byte[] _largePart = new byte[64 * 1024];
    private readonly byte[] _large = new byte[1024 * 1024];

    [GlobalSetup]
    public void Setup()
    {
        var random = new Random(1);
        for (var i = 0; i < Streams; i++)
        {
            _sizes[i] = random.Next(10 * 1024, (80 * 1024) + 1);
        }
    }

    [Benchmark(OperationsPerInvoke = Streams)]
    public long OneWrite_MemoryStream()
    {
        var bytes = 0L;
        foreach (var size in _sizes)
        {
            using var stream = new MemoryStream();
            stream.Write(_content, 0, size);
            bytes += stream.Length;
        }

        return bytes;
    }

    [Benchmark(OperationsPerInvoke = Streams)]
    public long OneWrite_BufferedMessages()
    {
        var bytes = 0L;
        foreach (var size in _sizes)
        {
            using var stream = _pool.GetStream();
            stream.Write(_content, 0, size);
            bytes += stream.Length;
        }

        return bytes;
    }

    [Benchmark(OperationsPerInvoke = Streams)]
    public long OneWrite_RecyclableMemoryStream()
    {
        var bytes = 0L;
        foreach (var size in _sizes)
        {
            using var stream = _manager.GetStream();
            stream.Write(_content, 0, size);
            bytes += stream.Length;
        }

        return bytes;
    }

    [Benchmark]
    public long SmallWrites_MemoryStream()
    {
        using var stream = new MemoryStream();
        return WriteParts(stream);
    }

    [Benchmark]
    public long SmallWrites_BufferedMessages()
    {
        using var stream = _pool.GetStream();
        return WriteParts(stream);
    }

    [Benchmark]
    public long SmallWrites_RecyclableMemoryStream()
    {
        using var stream = _manager.GetStream();
        return WriteParts(stream);
    }

    [Benchmark]
    public long SingleBytes_MemoryStream()
    {
        using var stream = new MemoryStream();
        for (var i = 0; i < HintBytes; i++)
        {
            stream.WriteByte(1);
        }

        return stream.Length;
    }

    [Benchmark]
    public long SingleBytes_BufferedMessages()
    {
        using var stream = _pool.GetStream();
        for (var i = 0; i < HintBytes; i++)
        {
            stream.WriteByte(1);
        }

        return stream.Length;
    }

    [Benchmark]
    public long SingleBytes_RecyclableMemoryStream()
    {
        using var stream = _manager.GetStream();
        for (var i = 0; i < HintBytes; i++)
        {
            stream.WriteByte(1);
        }

        return stream.Length;
    }

    [Benchmark]
    public long LargeParts_BufferedMessages()
    {
        using var stream = _pool.GetStream();
        return WriteLargeParts(stream);
    }

    [Benchmark]
    public long LargeParts_RecyclableMemoryStream()
    {
        using var stream = _manager.GetStream();
        return WriteLargeParts(stream);
    }

    [Benchmark]
    public long LargePartsOfKnownLength_BufferedMessages()
    {
        using var stream = _pool.GetStream(Parts * _largePart.Length);
        return WriteLargeParts(stream);
    }

    [Benchmark]
    public long LargePartsOfKnownLength_RecyclableMemoryStream()
    {
        using var stream = _manager.GetStream(null, Parts * _largePart.Length);
        return WriteLargeParts(stream);
    }

    [Benchmark]
    public long CopyTo_BufferedMessages()
    {
        using var stream = _pool.GetStream();
        stream.Write(_large);
        stream.WriteTo(Stream.Null);
        return stream.Length;
    }

    [Benchmark]
    public long CopyTo_RecyclableMemoryStream()
    {
        using var stream = _manager.GetStream();
        stream.Write(_large);
        stream.WriteTo(Stream.Null);
        return stream.Length;
    }

    [Benchmark]
    public long SmallSequence_BufferedMessages()
    {
        using var stream = _pool.GetStream();
        stream.Write(_part);
        return stream.GetReadOnlySequence().Length;
    }

    [Benchmark]
    public long SmallSequence_RecyclableMemoryStream()
    {
        using var stream = _manager.GetStream();
        stream.Write(_part);
        return stream.GetReadOnlySequence().Length;
    }

    [Benchmark]
    public long Sequence_BufferedMessages()
    {
        using var stream = _pool.GetStream();
        stream.Write(_large);
        return stream.GetReadOnlySequence().Length;
    }

    [Benchmark]
    public long Sequence_RecyclableMemoryStream()
    {
        using var stream = _manager.GetStream();
        stream.Write(_large);
        return stream.GetReadOnlySequence().Length;
    }

    [Benchmark]
    public long OnePiece_BufferedMessages()
    {
        using var stream = _pool.GetStream();
        stream.Write(_large);
        return stream.GetContiguousMemory().Length;
    }

    [Benchmark]
    public long OnePiece_RecyclableMemoryStream()
    {
        using var stream = _manager.GetStream();
        stream.Write(_large);
        return stream.GetBuffer().Length;
    }

    /// <summary>100 spans of 100 KB, of which 100 bytes are used.</summary>
    [Benchmark]
    public long HundredSpans_BufferedMessages()
    {
        using var stream = _pool.GetStream();
        for (var i = 0; i < 100; i++)
        {
            _part.CopyTo(stream.GetSpan(HintBytes));
            stream.Advance(_part.Length);
        }

        return stream.Length;
    }

    [Benchmark]
    public long HundredSpans_RecyclableMemoryStream()
    {
        using var stream = _manager.GetStream();
        for (var i = 0; i < 100; i++)
        {
            _part.CopyTo(stream.GetSpan(HintBytes));
            stream.Advance(_part.Length);
        }

        return stream.Length;
    }

    /// <summary>100 spans of 100 KB, which are used whole: each opens a new buffer.</summary>
    [Benchmark]
    public long HundredFullSpans_BufferedMessages()
    {
        using var stream = _pool.GetStream();
        for (var i = 0; i < 100; i++)
        {
            stream.GetSpan(HintBytes)[0] = 1;
            stream.Advance(HintBytes);
        }

        return stream.Length;
    }

    private long WriteLargeParts(Stream stream)
    {
        for (var i = 0; i < Parts; i++)
        {
            stream.Write(_largePart);
        }

        return stream.Length;
    }

    private long WriteParts(Stream stream)
    {
        for (var i = 0; i < 1_000; i++)
        {
            stream.Write(_part);
        }

        return stream.Length;
    }
}
