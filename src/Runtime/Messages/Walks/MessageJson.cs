using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>Messages as JSON: objects, arrays, numbers, and strings for all other values.</summary>
internal static class MessageJson
{
    private const int MaxTextLength = 1000;
    private const string Cut = "...";

    // A text of more bytes is cut, whatever its characters are.
    private const int MaxTextBytes = MaxTextLength * Utf8Text.MaxBytesPerChar;

    // For people: names and texts unescaped, as far as JSON allows it. A text is cut long before it is too deep.
    private static readonly JsonWriterOptions Readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, MaxDepth = int.MaxValue };

    /// <summary>Writes a message.</summary>
    /// <exception cref="MalformedMessageException">It breaks a rule of the wire format.</exception>
    public static void Write(CaseReader content, MessageSchema schema, Utf8JsonWriter json) =>
        Write(content, schema, new JsonVisitor(json));

    /// <summary>Writes a whole message.</summary>
    /// <exception cref="MalformedMessageException">It breaks a rule of the wire format.</exception>
    public static void WriteRoot(ReadOnlySpan<byte> message, MessageSchema schema, Utf8JsonWriter json) => WalkRoot(message, schema, new JsonVisitor(json));

    /// <summary>Walks over a whole message.</summary>
    /// <exception cref="MalformedMessageException">It breaks a rule of the wire format.</exception>
    public static void WalkRoot(ReadOnlySpan<byte> message, MessageSchema schema, SchemaVisitor visitor)
    {
        var root = BlockReader.OfMessage(message);
        SchemaWalker.WalkRoot(message[..(root.RegionBytes + WireFormat.HeaderBytes)], root.BlockBytes, schema.Document, visitor);
    }

    /// <summary>Returns a message as one line, truncated to a maximum length; says so if it is malformed.</summary>
    public static string ToText(CaseReader content, MessageSchema schema)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using var json = new Utf8JsonWriter(buffer, Readable);
        var visitor = new JsonVisitor(json, MaxTextBytes);
        var rule = "";
        try
        {
            Write(content, schema, visitor);
        }
        catch (MalformedMessageException exception)
        {
            rule = $" (malformed: {exception.Rule})";
        }

        json.Flush();
        var text = Encoding.UTF8.GetString(buffer.WrittenSpan);
        return (text.Length > MaxTextLength ? text[..MaxTextLength] + Cut : text) + rule;
    }

    private static void Write(CaseReader content, MessageSchema schema, JsonVisitor visitor)
    {
        if (content.IsNull)
        {
            visitor.Null();
        }
        else
        {
            SchemaWalker.Walk(content, schema.Document, visitor);
        }
    }
}
