using System.Buffers;
using System.Text.Json;
using BenchmarkDotNet.Attributes;
using BufferedMessages;
using Google.Protobuf;

namespace Toolkit.Benchmarks.Container;

/// <summary>
/// The container of 30: calculate its size, write it to a reused buffer, read all of its fields. The peers do the same work with the
/// same data: they write to a reused buffer too, and reading one means to deserialize it and then to read the fields.
/// Every reader touches the bytes or characters of every string.
/// </summary>
[MemoryDiagnoser]
public class ContainerBenchmarks : IDisposable
{
    private readonly FooBarContainer _source = FooBarContainer.Create(entries: 30);
    private readonly byte[] _destination = new byte[16 * 1024];
    private readonly ArrayBufferWriter<byte> _jsonDestination = new(16 * 1024);
    private Protobuf.FooBarContainer _protobufSource = null!;
    private Utf8JsonWriter _jsonWriter = null!;
    private byte[] _message = null!;
    private byte[] _json = null!;
    private byte[] _protobuf = null!;

    [GlobalSetup]
    public void Setup()
    {
        _protobufSource = ContainerProtobuf.Convert(_source);
        _jsonWriter = new Utf8JsonWriter(_jsonDestination);
        _message = _source.ToMessageArray();
        _json = JsonSerializer.SerializeToUtf8Bytes(_source, ContainerJson.Default.FooBarContainer);
        _protobuf = _protobufSource.ToByteArray();
        var expected = Read_BufferedMessages();
        if (Read_SystemTextJson() != expected || Read_Protobuf() != expected)
        {
            throw new InvalidOperationException("The libraries read different values.");
        }
    }

    [GlobalCleanup]
    public void Dispose()
    {
        _jsonWriter?.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark]
    public int Size_BufferedMessages() => _source.CalculateSize();

    [Benchmark]
    public int Size_Protobuf() => _protobufSource.CalculateSize();

    [Benchmark]
    public int Write_BufferedMessages() => _source.Write(_destination);

    [Benchmark]
    public int Write_SystemTextJson()
    {
        _jsonDestination.ResetWrittenCount();
        _jsonWriter.Reset(_jsonDestination);
        JsonSerializer.Serialize(_jsonWriter, _source, ContainerJson.Default.FooBarContainer);
        return _jsonDestination.WrittenCount;
    }

    // WriteTo(Span) calculates the size first; there is no public way to write without.
    [Benchmark]
    public int Write_Protobuf()
    {
        var size = _protobufSource.CalculateSize();
        _protobufSource.WriteTo(_destination.AsSpan(0, size));
        return size;
    }

    [Benchmark]
    public long Read_BufferedMessages()
    {
        var container = new FooBarContainerBufferedMessage(_message);
        var sum = (container.Initialized ? 1 : 0) + (int)container.Fruit + container.Location.Length + (long)container.Location.Utf8[^1];
        foreach (var entry in container.List)
        {
            var name = entry.Name.Utf8;
            var sibling = entry.Sibling;
            var parent = sibling.Parent;
            sum += name.Length + name[^1] + (long)entry.Rating + entry.Postfix;
            sum += sibling.Time + (long)sibling.Ratio + sibling.Size;
            sum += (long)parent.Id + parent.Count + parent.Prefix + parent.Length;
        }

        return sum;
    }

    [Benchmark]
    public long Read_SystemTextJson()
    {
        var container = JsonSerializer.Deserialize(_json, ContainerJson.Default.FooBarContainer)!;
        var sum = (container.Initialized ? 1 : 0) + (int)container.Fruit + container.Location!.Length + (long)container.Location[^1];
        foreach (var entry in container.List!)
        {
            var name = entry.Name!;
            var sibling = entry.Sibling!;
            var parent = sibling.Parent!;
            sum += name.Length + name[^1] + (long)entry.Rating + entry.Postfix;
            sum += sibling.Time + (long)sibling.Ratio + sibling.Size;
            sum += (long)parent.Id + parent.Count + parent.Prefix + parent.Length;
        }

        return sum;
    }

    [Benchmark]
    public long Read_Protobuf()
    {
        var container = Protobuf.FooBarContainer.Parser.ParseFrom(_protobuf);
        var sum = (container.Initialized ? 1 : 0) + (int)container.Fruit + container.Location.Length + (long)container.Location[^1];
        foreach (var entry in container.List)
        {
            var name = entry.Name;
            var sibling = entry.Sibling;
            var parent = sibling.Parent;
            sum += name.Length + name[^1] + (long)entry.Rating + entry.Postfix;
            sum += sibling.Time + (long)sibling.Ratio + sibling.Size;
            sum += (long)parent.Id + parent.Count + parent.Prefix + parent.Length;
        }

        return sum;
    }
}
