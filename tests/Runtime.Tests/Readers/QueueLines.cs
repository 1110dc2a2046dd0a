using System.Diagnostics;
using System.Text;
using System.Text.Json;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>The records of a queue as lines of JSON, as the command <c>cat</c> of the readers in other languages prints them.</summary>
internal static class QueueLines
{
    /// <summary>Reads all records that are there now, without a trace.</summary>
    public static string Of(string directory)
    {
        using var queue = MessageQueue.OpenExisting(directory);
        using var reader = queue.OpenReader<RawMessage>();
        var schemas = queue.Schemas;
        var schema = schemas.Count == 0 ? null : schemas[^1];
        var lines = new StringBuilder();
        while (reader.TryRead(out var delivery))
        {
            lines.Append(LineOf(delivery, schema)).Append('\n');
            delivery.Commit();
        }

        return lines.ToString();
    }

    /// <summary>The line of a delivery.</summary>
    public static string LineOf(Delivery<RawMessage> delivery, MessageSchema? schema)
    {
        using var bytes = new MemoryStream();
        using (var json = new Utf8JsonWriter(bytes))
        {
            json.WriteStartObject();
            json.WriteNumber("position", delivery.Position);
            json.WriteNumber("epoch", delivery.Id.Epoch);
            if (!delivery.Properties.IsEmpty)
            {
                Write(json, delivery.Properties.ToProperties());
            }

            if (schema is null)
            {
                json.WriteBase64String("payload", delivery.Message.Bytes);
            }
            else
            {
                json.WritePropertyName("message");
                BufferedMessage.WriteJson(delivery.Message.Bytes, schema, json);
            }

            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(bytes.ToArray());
    }

    private static void Write(Utf8JsonWriter json, MessageProperties properties)
    {
        json.WriteStartObject("properties");
        if (properties.Time is { } time)
        {
            json.WriteString("time", time.ToString("yyyy-MM-ddTHH:mm:ss.fffffffZ", System.Globalization.CultureInfo.InvariantCulture));
        }

        if (properties.TraceContext is var trace && trace != default)
        {
            json.WriteString("trace", $"00-{trace.TraceId}-{trace.SpanId}-{(trace.TraceFlags == ActivityTraceFlags.Recorded ? "01" : "00")}");
            WriteIfPresent(json, "traceState", trace.TraceState);
        }

        if (properties.Source is { } source)
        {
            json.WriteStartObject("source");
            json.WriteString("queue", source.QueueId);
            json.WriteNumber("epoch", source.Epoch);
            json.WriteNumber("position", source.Position);
            json.WriteEndObject();
        }

        WriteIfPresent(json, "correlation", properties.CorrelationId);
        WriteIfPresent(json, "replyTo", properties.ReplyTo);
        if (properties.Attempts != 0)
        {
            json.WriteNumber("attempts", properties.Attempts);
        }

        WriteIfPresent(json, "reason", properties.Reason);
        if (properties.Headers.Count != 0)
        {
            json.WriteStartObject("headers");
            foreach (var (name, value) in properties.Headers)
            {
                json.WriteString(name, value);
            }

            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    private static void WriteIfPresent(Utf8JsonWriter json, string name, string? text)
    {
        if (text is not null)
        {
            json.WriteString(name, text);
        }
    }
}
