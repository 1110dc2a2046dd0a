using System.Globalization;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>
/// A line of JSON for a record: position, epoch, properties if there are any, and the message, or its bytes as base64 if the queue has no schema. It is the line of the readers in
/// src/Readers, byte for byte. A message that breaks a rule of its schema is shown as bytes, with the rule as "error".
/// </summary>
/// <param name="lines">The receiver.</param>
/// <param name="handler">The handler or bridge of dead letters, which is the first member of their lines; null for other records.</param>
internal sealed class RecordJson(JsonLines lines, string? handler = null) : IDisposable
{
    private readonly MessageText _text = new(isReadable: false);

    /// <summary>Writes a record.</summary>
    /// <returns>Whether the message is whole.</returns>
    public bool Write(in Delivery<RawMessage> delivery, SchemaVersions schemas)
    {
        var bytes = delivery.Message.Bytes;
        var schema = schemas.Newest;
        var error = schema is null ? null : _text.Write(bytes, schema);
        lines.Write(
            new Line(handler, delivery.Id, delivery.Properties, bytes, schema is null || error is not null ? default : _text.Json, error),
            static (json, line) => line.Write(json));
        return error is null;
    }

    /// <summary>Writes the properties of a record as an object.</summary>
    public static void Write(Utf8JsonWriter json, MessageProperties properties)
    {
        json.WriteStartObject();
        if (properties.Time is { } time)
        {
            json.WriteString("time"u8, time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'", CultureInfo.InvariantCulture));
        }

        if (properties.TraceContext is { TraceId: var trace } context && trace != default)
        {
            json.WriteString("trace"u8, $"00-{trace.ToHexString()}-{context.SpanId.ToHexString()}-{(byte)context.TraceFlags:x2}");
            WriteText(json, "traceState", context.TraceState);
        }

        if (properties.Source is { } source)
        {
            json.WriteStartObject("source"u8);
            json.WriteString("queue"u8, source.QueueId);
            json.WriteNumber("epoch"u8, source.Epoch);
            json.WriteNumber("position"u8, source.Position);
            json.WriteEndObject();
        }

        WriteText(json, "correlation", properties.CorrelationId);
        WriteText(json, "replyTo", properties.ReplyTo);
        if (properties.Attempts != 0)
        {
            json.WriteNumber("attempts"u8, properties.Attempts);
        }

        WriteText(json, "reason", properties.Reason);
        if (properties.Headers.Count > 0)
        {
            json.WriteStartObject("headers"u8);
            foreach (var (name, value) in properties.Headers)
            {
                json.WriteString(name, value);
            }

            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    public void Dispose() => _text.Dispose();

    private static void WriteText(Utf8JsonWriter json, string name, string? text)
    {
        if (text is not null)
        {
            json.WriteString(name, text);
        }
    }

    private readonly ref struct Line(string? handler, MessageId id, DeliveryProperties properties, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> message, string? error)
    {
        private readonly DeliveryProperties _properties = properties;
        private readonly ReadOnlySpan<byte> _payload = payload;
        private readonly ReadOnlySpan<byte> _message = message;

        public void Write(Utf8JsonWriter json)
        {
            json.WriteStartObject();
            WriteText(json, "name", handler);
            json.WriteNumber("position"u8, id.Position);
            json.WriteNumber("epoch"u8, id.Epoch);
            if (!_properties.IsEmpty)
            {
                json.WritePropertyName("properties"u8);
                RecordJson.Write(json, _properties.ToProperties());
            }

            if (_message.IsEmpty)
            {
                json.WriteBase64String("payload"u8, _payload);
            }
            else
            {
                json.WritePropertyName("message"u8);
                json.WriteRawValue(_message, skipInputValidation: true);
            }

            if (error is not null)
            {
                json.WriteString("error"u8, error);
            }

            json.WriteEndObject();
        }
    }
}
