using System.Buffers;
using BenchmarkDotNet.Attributes;
using BufferedMessages;

namespace Toolkit.Benchmarks.Streams;

/// <summary>Threads that make, write and dispose streams of 4 KB at the same time: time for one stream over all threads.</summary>
[MemoryDiagnoser]
public class StreamThreadsBenchmarks
{
    private const int Streams = 40_000;

    private readonly BufferPool _pool = new();
    private readonly byte[] _content = new byte[4 * 1024];

    /// <summary>Threads that work at once.</summary>
    [Params(1, 2, 8)]
    public int Threads { get; set; }

    [Benchmark(Baseline = true, OperationsPerInvoke = Streams)]
    public void Concurrent_MemoryStream() => OnThreads(() =>
    {
        using var stream = new MemoryStream();
        stream.Write(_content);
    });

    [Benchmark(OperationsPerInvoke = Streams)]
    public void Concurrent_BufferedMessages() => OnThreads(() =>
    {
        using var stream = _pool.GetStream();
        stream.Write(_content);
    });

    [Benchmark(OperationsPerInvoke = Streams)]
    public void Concurrent_ArrayPool() => OnThreads(() =>
    {
        var array = ArrayPool<byte>.Shared.Rent(_content.Length);
        _content.CopyTo(array.AsSpan());
        ArrayPool<byte>.Shared.Return(array);
    });

    private void OnThreads(Action one)
    {
        var threads = new Thread[Threads];
        for (var i = 0; i < Threads; i++)
        {
            threads[i] = new Thread(() =>
            {
                for (var j = 0; j < Streams / Threads; j++)
                {
                    one();
                }
            });
            threads[i].Start();
        }

        foreach (var thread in threads)
        {
            thread.Join();
        }
    }
}
