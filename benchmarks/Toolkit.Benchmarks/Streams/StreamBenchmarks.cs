using System.Buffers;
using BenchmarkDotNet.Attributes;
using BufferedMessages;
using Microsoft.IO;

namespace Toolkit.Benchmarks.Streams;

/// <summary>A stream that is made, written once and disposed, by size, against a memory stream, a recyclable one, and a rented array that needs no growing.</summary>
[MemoryDiagnoser]
public class StreamBenchmarks
{
    private readonly BufferPool _pool = new();
    private readonly RecyclableMemoryStreamManager _manager = new();
    private byte[] _content = [];

    /// <summary>Bytes of the stream.</summary>
    [Params(64, 256, 1024, 4 * 1024, 10 * 1024, 64 * 1024, 128 * 1024, 256 * 1024, 1024 * 1024, 4 * 1024 * 1024, 8 * 1024 * 1024)]
    public int Bytes { get; set; }

    [GlobalSetup]
    public void Setup() => _content = new byte[Bytes];

    [Benchmark(Baseline = true)]
    public long Write_MemoryStream()
    {
        using var stream = new MemoryStream();
        stream.Write(_content);
        return stream.Length;
    }

    [Benchmark]
    public long Write_BufferedMessages()
    {
        using var stream = _pool.GetStream();
        stream.Write(_content);
        return stream.Length;
    }

    [Benchmark]
    public long Write_RecyclableMemoryStream()
    {
        using var stream = _manager.GetStream();
        stream.Write(_content);
        return stream.Length;
    }

    [Benchmark]
    public long Write_ArrayPool()
    {
        var array = ArrayPool<byte>.Shared.Rent(Bytes);
        _content.CopyTo(array.AsSpan());
        ArrayPool<byte>.Shared.Return(array);
        return array.Length;
    }
}
