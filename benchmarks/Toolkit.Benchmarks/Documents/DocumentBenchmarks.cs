using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using BenchmarkDotNet.Attributes;
using BufferedMessages;
using Google.Protobuf;

namespace Toolkit.Benchmarks.Documents;

/// <summary>
/// A document as one message: write it to a reused buffer, and read fields of all of it. The peers do the same work with the same data;
/// reading one means to deserialize it and then to read the fields.
/// </summary>
/// <typeparam name="TSource">The document.</typeparam>
/// <typeparam name="TProtobuf">The same as a Protobuf object.</typeparam>
[MemoryDiagnoser]
public abstract class DocumentBenchmarks<TSource, TProtobuf> : IDisposable
    where TSource : class, IBufferedMessageSource<TSource>
    where TProtobuf : class, IMessage<TProtobuf>, new()
{
    private readonly MessageParser<TProtobuf> _parser = new(static () => new TProtobuf());
    private readonly ArrayBufferWriter<byte> _jsonDestination = new();
    private JsonTypeInfo<TSource> _jsonType = null!;
    private TSource _source = null!;
    private TProtobuf _protobufSource = null!;
    private Utf8JsonWriter _jsonWriter = null!;
    private byte[] _destination = null!;
    private byte[] _json = null!;
    private byte[] _protobuf = null!;

    protected byte[] Message { get; private set; } = null!;

    protected void Setup(TSource source, TProtobuf protobufSource, JsonTypeInfo<TSource> jsonType)
    {
        _source = source;
        _protobufSource = protobufSource;
        _jsonType = jsonType;
        _jsonWriter = new Utf8JsonWriter(_jsonDestination);
        Message = source.ToMessageArray();
        _json = JsonSerializer.SerializeToUtf8Bytes(source, jsonType);
        _protobuf = protobufSource.ToByteArray();
        _destination = new byte[2 * Math.Max(Message.Length, _protobuf.Length)];
        Console.WriteLine($"// bytes: BufferedMessages {Message.Length}, SystemTextJson {_json.Length}, Protobuf {_protobuf.Length}");
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
    public int SizeAndWrite_BufferedMessages() => _source.Write(_destination.AsSpan(0, _source.CalculateSize()));

    [Benchmark]
    public int SizeAndWrite_SystemTextJson()
    {
        _jsonDestination.ResetWrittenCount();
        _jsonWriter.Reset(_jsonDestination);
        JsonSerializer.Serialize(_jsonWriter, _source, _jsonType);
        return _jsonDestination.WrittenCount;
    }

    [Benchmark]
    public int SizeAndWrite_Protobuf()
    {
        var size = _protobufSource.CalculateSize();
        _protobufSource.WriteTo(_destination.AsSpan(0, size));
        return size;
    }

    [Benchmark]
    public long Read_BufferedMessages() => ReadView(Message);

    [Benchmark]
    public long Read_SystemTextJson() => Read(JsonSerializer.Deserialize(_json, _jsonType)!);

    [Benchmark]
    public long Read_Protobuf() => Read(_parser.ParseFrom(_protobuf));

    protected abstract long ReadView(ReadOnlySpan<byte> message);

    protected abstract long Read(TSource document);

    protected abstract long Read(TProtobuf document);
}
