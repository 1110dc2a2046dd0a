using System.Text.Json;

namespace BufferedMessages;

/// <summary>A visitor that writes a message as JSON.</summary>
/// <param name="json">The JSON writer.</param>
/// <param name="limit">The number of written bytes at which it stops; null if it writes all.</param>
internal sealed class JsonVisitor(Utf8JsonWriter json, int? limit = null) : SchemaVisitor
{
    private const string CaseProperty = "$type";

    private bool _isKey;
    private string? _case;

    // Without a limit never: the writer counts all that was ever written with it, other messages too.
    public override bool IsDone => limit is { } most && json.BytesCommitted + json.BytesPending > most;

    public override void BeginCase(int number, string name) => _case = name;

    public override void BeginMessage()
    {
        json.WriteStartObject();
        if (_case is not null)
        {
            json.WriteString(CaseProperty, _case);
            _case = null;
        }
    }

    public override void UnknownCase(int number, int position, int bytes)
    {
        json.WriteStartObject();
        json.WriteNumber(CaseProperty, number);
        json.WriteEndObject();
    }

    public override void EndMessage() => json.WriteEndObject();

    public override void BeginMember(string name) => json.WritePropertyName(name);

    public override void BeginList(int count) => json.WriteStartArray();

    public override void EndList() => json.WriteEndArray();

    public override void BeginDictionary(int count) => json.WriteStartObject();

    public override void EndDictionary() => json.WriteEndObject();

    public override void BeginKey(int index) => _isKey = true;

    public override void EndKey() => _isKey = false;

    public override void Null() => json.WriteNullValue();

    public override void Value(SchemaValue kind, int position, ReadOnlySpan<byte> bytes)
    {
        if (_isKey)
        {
            json.WritePropertyName(JsonValue.NameOf((SchemaScalar)kind, bytes));
        }
        else
        {
            JsonValue.Write(json, kind, bytes);
        }
    }

    public override void Text(int position, ReadOnlySpan<byte> utf8)
    {
        if (_isKey)
        {
            JsonValue.WriteName(json, Cut(utf8));
        }
        else
        {
            JsonValue.WriteText(json, Cut(utf8));
        }
    }

    public override void Binary(int position, ReadOnlySpan<byte> bytes) => json.WriteBase64StringValue(Cut(bytes));

    private ReadOnlySpan<byte> Cut(ReadOnlySpan<byte> bytes) => limit is { } most && bytes.Length > most ? bytes[..most] : bytes;
}
