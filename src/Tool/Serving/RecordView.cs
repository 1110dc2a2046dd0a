using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>
/// A record for the page: its text by the newest schema, as <c>tail</c> shows it, and its bytes in hex. The text is a text also in JSON, because a script would round its large numbers.
/// Reuses its buffers; serves one thread at a time.
/// </summary>
internal sealed class RecordView(SchemaVersions schemas) : IDisposable
{
    private const int MaxTextBytes = 1 << 20;
    private const int MaxHexBytes = 4096;

    private readonly MessageText _text = new(isReadable: true);

    /// <summary>Writes a record as an object.</summary>
    public void Write(Utf8JsonWriter json, in Delivery<RawMessage> delivery)
    {
        var bytes = delivery.Message.Bytes;
        json.WriteStartObject();
        json.WriteNumber("position"u8, delivery.Position);
        json.WriteNumber("bytes"u8, bytes.Length);
        if (!delivery.Properties.IsEmpty)
        {
            json.WritePropertyName("properties"u8);
            RecordJson.Write(json, delivery.Properties.ToProperties());
        }

        if (bytes.Length > MaxTextBytes)
        {
            json.WriteBoolean("large"u8, value: true);
        }
        else if (schemas.Newest is { } schema)
        {
            if (_text.Write(bytes, schema) is { } fault)
            {
                json.WriteString("error"u8, fault);
            }
            else
            {
                json.WriteString("text"u8, _text.Json);
            }
        }

        json.WriteString("hex"u8, MessageText.Hex(bytes[..Math.Min(bytes.Length, MaxHexBytes)]));
        json.WriteEndObject();
    }

    public void Dispose() => _text.Dispose();
}
