using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>A visitor that notes the meaning of each part of a message.</summary>
internal sealed class ExplainingVisitor : SchemaVisitor, IDisposable
{
    private const int MaxTextBytes = 64;
    private const int MaxBinaryBytes = 16;

    private readonly List<string> _path = [];
    private readonly Dictionary<int, int> _presenceBytes = [];
    private readonly ArrayBufferWriter<byte> _buffer = new();
    private readonly Utf8JsonWriter _json;

    public ExplainingVisitor() =>
        _json = new Utf8JsonWriter(_buffer, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, SkipValidation = true });

    /// <summary>The parts found so far, in the order in which they were found.</summary>
    public List<MessagePart> Parts { get; } = [];

    /// <summary>The current member.</summary>
    public string Path => string.Concat(_path);

    private string Place => _path.Count == 0 ? "" : Path + ": ";

    public void Dispose() => _json.Dispose();

    /// <summary>The header of the message.</summary>
    public void Header(int blockBytes, int totalBytes, string type) =>
        Add(0, WireFormat.HeaderBytes, string.Create(CultureInfo.InvariantCulture, $"{type}: root block of {blockBytes / WireFormat.WordBytes} words, version 1, flags 0, {totalBytes} bytes in all"));

    public override void BeginCase(int number, string name) => Parts[^1] = Parts[^1] with { Text = $"{Parts[^1].Text}: {name}" };

    public override void UnknownCase(int number, int position, int bytes) =>
        Add(position, bytes, Place + "the block of a case that the schema does not have");

    public override void BeginMember(string name) => _path.Add(_path.Count == 0 ? name : "." + name);

    public override void EndMember() => _path.RemoveAt(_path.Count - 1);

    public override void BeginElement(int index) => _path.Add(string.Create(CultureInfo.InvariantCulture, $"[{index}]"));

    public override void EndElement() => _path.RemoveAt(_path.Count - 1);

    public override void BeginKey(int index) => _path.Add(string.Create(CultureInfo.InvariantCulture, $".Keys[{index}]"));

    public override void EndKey() => _path.RemoveAt(_path.Count - 1);

    public override void BeginEntryValue(int index) => _path.Add(string.Create(CultureInfo.InvariantCulture, $".Values[{index}]"));

    public override void Reserved(int ordinal, int position, int bytes) =>
        Add(position, bytes, string.Create(CultureInfo.InvariantCulture, $"{Place}ordinal {ordinal}, reserved"));

    public override void Slot(int position, SchemaKind kind, ulong slot) => Add(position, WireFormat.SlotBytes, Place + Describe(kind, slot));

    // One byte serves up to eight values.
    public override void PresenceBit(int position)
    {
        if (_presenceBytes.TryGetValue(position, out var part))
        {
            Parts[part] = Parts[part] with { Text = $"{Parts[part].Text}, {Path}" };
            return;
        }

        _presenceBytes.Add(position, Parts.Count);
        Add(position, 1, $"presence bits: {Path}");
    }

    public override void ListHeader(int position, int blockBytes) =>
        Add(position, WireFormat.MessageListHeaderBytes, $"{Path}: blocks of {blockBytes} bytes");

    public override void TableHeader(int position, int bytes, int valuesOffset)
    {
        var values = valuesOffset == 0 ? "no values" : string.Create(CultureInfo.InvariantCulture, $"values {valuesOffset} bytes after the start of this header");
        Add(position, WireFormat.DictionaryHeaderBytes, $"{Path}: {values}");
        if (bytes > WireFormat.DictionaryHeaderBytes)
        {
            Add(position + WireFormat.DictionaryHeaderBytes, bytes - WireFormat.DictionaryHeaderBytes, $"{Path}: starts of the buckets");
        }
    }

    public override void Bitmap(int position, int bytes)
    {
        if (bytes != 0)
        {
            Add(position, bytes, $"{Path}: presence bits of the elements");
        }
    }

    public override void NullBlock(int position, int bytes) => Add(position, bytes, $"{Path}: null");

    public override void NullValue(int position, int bytes) => Add(position, bytes, $"{Path}: null");

    public override void Value(SchemaValue kind, int position, ReadOnlySpan<byte> bytes)
    {
        if (position >= 0)
        {
            JsonValue.Write(_json, kind, bytes);
            Add(position, bytes.Length, $"{Path}: {Json()}");
        }
    }

    public override void Text(int position, ReadOnlySpan<byte> utf8)
    {
        JsonValue.WriteText(_json, utf8.Length <= MaxTextBytes ? utf8 : utf8[..StartOfLetter(utf8, MaxTextBytes)]);
        AddPayload(position, utf8.Length, Json() + (utf8.Length <= MaxTextBytes ? "" : "..."));
    }

    public override void Binary(int position, ReadOnlySpan<byte> bytes) =>
        AddPayload(position, bytes.Length, bytes.Length <= MaxBinaryBytes ? Convert.ToHexStringLower(bytes) : Convert.ToHexStringLower(bytes[..MaxBinaryBytes]) + "...");

    // A letter that is cut would be shown as another one. It has at most three bytes after its first one.
    private static int StartOfLetter(ReadOnlySpan<byte> utf8, int position)
    {
        var start = position;
        while (start > position - 3 && (utf8[start] & 0xC0) == 0x80)
        {
            start--;
        }

        return start;
    }

    private static string Describe(SchemaKind kind, ulong slot)
    {
        if (slot == 0)
        {
            return "null";
        }

        if (slot == WireFormat.EmptySlot)
        {
            return "empty";
        }

        var isBytes = kind is SchemaString or SchemaBinary;
        if ((long)slot < 0 && isBytes)
        {
            return string.Create(CultureInfo.InvariantCulture, $"{(slot >> 56) & 0x7F} bytes in the slot");
        }

        var (offset, length) = (slot >> 32, (uint)slot);
        return kind switch
        {
            SchemaUnion => string.Create(CultureInfo.InvariantCulture, $"case {length >> 16}, a block of {(ushort)length} words, {offset} bytes after the start of this block or slot array"),
            SchemaMessage => string.Create(CultureInfo.InvariantCulture, $"a block of {length} words, {offset} bytes after the start of this block"),
            _ => string.Create(CultureInfo.InvariantCulture, $"{length} {(isBytes ? "bytes" : "elements")}, {offset} bytes after the start of this block or slot array"),
        };
    }

    // A payload in its slot replaces the slot.
    private void AddPayload(int position, int bytes, string text)
    {
        if (Parts is [.., var slot] && slot.Position == position && slot.Bytes == WireFormat.SlotBytes)
        {
            Parts[^1] = slot with { Text = $"{slot.Text}: {text}" };
        }
        else
        {
            Add(position, bytes, $"{Path}: {text}");
        }
    }

    private void Add(int position, int bytes, string text) => Parts.Add(new MessagePart(position, bytes, text));

    private string Json()
    {
        _json.Flush();
        var text = Encoding.UTF8.GetString(_buffer.WrittenSpan);
        _buffer.ResetWrittenCount();
        _json.Reset();
        return text;
    }
}
