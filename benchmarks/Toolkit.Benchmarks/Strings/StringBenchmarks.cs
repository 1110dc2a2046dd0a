using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using BenchmarkDotNet.Attributes;
using BufferedMessages;
using Google.Protobuf;

namespace Toolkit.Benchmarks.Strings;

/// <summary>
/// A message of one string, by length and script. Reading touches the string's length and its last byte or character: a view reads in
/// place, the peers make a string. Utf8 is the floor: the framework's encoding of the same string, without a message around it.
/// </summary>
[MemoryDiagnoser]
public class StringBenchmarks : IDisposable
{
    private readonly Note _source = new();
    private readonly Protobuf.Note _protobufSource = new();
    private readonly byte[] _destination = new byte[16 * 1024];
    private readonly ArrayBufferWriter<byte> _jsonDestination = new(16 * 1024);
    private Utf8JsonWriter _jsonWriter = null!;
    private byte[] _message = [];
    private byte[] _json = [];
    private byte[] _protobuf = [];

    [ParamsAllValues]
    public Script Script { get; set; }

    /// <summary>UTF-16 characters of the string.</summary>
    [Params(10, 100, 1000)]
    public int Characters { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        var text = Make(Script, Characters);
        _source.Text = text;
        _protobufSource.Text = text;

        // The default encoder writes every letter outside of ASCII as six characters.
        _jsonWriter = new Utf8JsonWriter(_jsonDestination, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
        _message = _source.ToMessageArray();
        Write_SystemTextJson();
        _json = _jsonDestination.WrittenSpan.ToArray();
        _protobuf = _protobufSource.ToByteArray();
        var read = new NoteBufferedMessage(_message).Text.ToString();
        if (read != text || JsonSerializer.Deserialize(_json, NoteJson.Default.Note)!.Text != text || Protobuf.Note.Parser.ParseFrom(_protobuf).Text != text)
        {
            throw new InvalidOperationException("The libraries read different texts.");
        }
    }

    [GlobalCleanup]
    public void Dispose()
    {
        _jsonWriter?.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark]
    public int Write_BufferedMessages() => _source.Write(_destination);

    [Benchmark]
    public int Write_SystemTextJson()
    {
        _jsonDestination.ResetWrittenCount();
        _jsonWriter.Reset(_jsonDestination);
        JsonSerializer.Serialize(_jsonWriter, _source, NoteJson.Default.Note);
        return _jsonDestination.WrittenCount;
    }

    [Benchmark]
    public int Write_Protobuf()
    {
        var size = _protobufSource.CalculateSize();
        _protobufSource.WriteTo(_destination.AsSpan(0, size));
        return size;
    }

    [Benchmark]
    public int Write_Utf8() => Encoding.UTF8.GetBytes(_source.Text, _destination);

    [Benchmark]
    public int Read_BufferedMessages()
    {
        var text = new NoteBufferedMessage(_message).Text.Utf8;
        return text.Length + text[^1];
    }

    [Benchmark]
    public int Read_SystemTextJson()
    {
        var text = JsonSerializer.Deserialize(_json, NoteJson.Default.Note)!.Text;
        return text.Length + text[^1];
    }

    [Benchmark]
    public int Read_Protobuf()
    {
        var text = Protobuf.Note.Parser.ParseFrom(_protobuf).Text;
        return text.Length + text[^1];
    }

    private static string Make(Script script, int characters) => string.Create(characters, script, static (text, script) =>
    {
        for (var i = 0; i < text.Length; i++)
        {
            text[i] = script switch
            {
                Script.Latin when i % 8 == 3 => 'ü',
                Script.Cjk => (char)('\u4E00' + (i * 7)),
                Script.Emoji => "😀"[i % 2],
                _ => (char)('a' + (i % 26)),
            };
        }
    });
}
