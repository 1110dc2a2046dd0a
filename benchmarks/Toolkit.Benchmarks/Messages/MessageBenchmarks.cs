using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using BenchmarkDotNet.Attributes;
using BufferedMessages;
using Google.Protobuf;

namespace Toolkit.Benchmarks.Messages;

/// <summary>
/// One message: calculate its size, write it to a reused buffer, verify it, read its members. The peers do the same work with the same
/// data: they write to a reused buffer too, and reading means to deserialize and then to read the members of the object. Every reader
/// touches the last byte or character of each string; of the documents it takes the length alone. RawMemory is the floor: the bytes of the finished message, copied.
/// </summary>
/// <typeparam name="TSource">The source of the message.</typeparam>
/// <typeparam name="TProtobuf">The same as a Protobuf object.</typeparam>
[MemoryDiagnoser]
public abstract class MessageBenchmarks<TSource, TProtobuf> : IMessageBenchmarks
    where TSource : class, IBufferedMessageSource<TSource>
    where TProtobuf : class, IMessage<TProtobuf>, new()
{
    private readonly MessageParser<TProtobuf> _parser = new(static () => new TProtobuf());
    private readonly ArrayBufferWriter<byte> _jsonDestination = new();
    private readonly ArrayBufferWriter<byte> _bufferWriter = new();
    private JsonTypeInfo<TSource> _jsonType = null!;
    private TSource _source = null!;
    private TProtobuf _protobufSource = null!;
    private Utf8JsonWriter _jsonWriter = null!;
    private byte[] _destination = null!;
    private byte[] _message = null!;
    private byte[] _json = null!;
    private byte[] _protobuf = null!;

    /// <inheritdoc/>
    public abstract void Setup();

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
        JsonSerializer.Serialize(_jsonWriter, _source, _jsonType);
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
    public int Write_RawMemory()
    {
        _message.CopyTo(_destination, 0);
        return _message.Length;
    }

    [Benchmark]
    public int SizeAndWrite_BufferedMessages() => _source.Write(_destination.AsSpan(0, _source.CalculateSize()));

    // Does not calculate the size: it writes in memory of the thread, and copies.
    [Benchmark]
    public int BufferWriter_BufferedMessages()
    {
        _bufferWriter.ResetWrittenCount();
        return _source.WriteTo(_bufferWriter);
    }

    [Benchmark]
    public bool Verify_BufferedMessages() => Verify(_message);

    [Benchmark]
    public long Read_BufferedMessages() => ReadView(_message);

    [Benchmark]
    public long Read_SystemTextJson() => Read(JsonSerializer.Deserialize(_json, _jsonType)!);

    [Benchmark]
    public long Read_Protobuf() => Read(_parser.ParseFrom(_protobuf));

    /// <inheritdoc/>
    public IReadOnlyDictionary<string, int> Sizes() => new Dictionary<string, int>(StringComparer.Ordinal)
    {
        ["BufferedMessages"] = _message.Length,
        ["SystemTextJson"] = _json.Length,
        ["Protobuf"] = _protobuf.Length,
    };

    protected void Setup(TSource source, TProtobuf protobufSource, JsonTypeInfo<TSource> jsonType)
    {
        _source = source;
        _protobufSource = protobufSource;
        _jsonType = jsonType;
        _jsonWriter = new Utf8JsonWriter(_jsonDestination);
        _message = source.ToMessageArray();
        _json = JsonSerializer.SerializeToUtf8Bytes(source, jsonType);
        _protobuf = protobufSource.ToByteArray();
        _destination = new byte[2 * Math.Max(_message.Length, _protobuf.Length)];
        var expected = Read_BufferedMessages();
        if (Read_SystemTextJson() != expected || Read_Protobuf() != expected)
        {
            throw new InvalidOperationException("The libraries read different values.");
        }

        if (!Verify_BufferedMessages())
        {
            throw new InvalidOperationException("The message is refused.");
        }
    }

    protected abstract bool Verify(ReadOnlySpan<byte> message);

    protected abstract long ReadView(ReadOnlySpan<byte> message);

    protected abstract long Read(TSource source);

    protected abstract long Read(TProtobuf source);
}
