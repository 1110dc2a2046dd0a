using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>Messages as JSON, by their schema. Reuses its buffers; serves one thread at a time.</summary>
/// <param name="isReadable">Whether letters outside of ASCII stay as they are, for people. Otherwise the JSON is that of <see cref="BufferedMessage"/>.</param>
internal sealed class MessageText(bool isReadable) : IDisposable
{
    private readonly ArrayBufferWriter<byte> _buffer = new();
    private readonly ArrayBufferWriter<byte> _readable = new();
    private Utf8JsonWriter? _json;

    /// <summary>Gets the JSON of the last message.</summary>
    public ReadOnlySpan<byte> Json => (isReadable ? _readable : _buffer).WrittenSpan;

    /// <summary>Gets the last message as text that a terminal can show.</summary>
    public string Line => TerminalText.Escape(Encoding.UTF8.GetString(Json));

    /// <summary>Writes a message.</summary>
    /// <returns>The rule that the message breaks; null if it is whole.</returns>
    public string? Write(ReadOnlySpan<byte> message, MessageSchema schema)
    {
        _buffer.ResetWrittenCount();
        _json ??= new Utf8JsonWriter(_buffer, new JsonWriterOptions { Encoder = isReadable ? JavaScriptEncoder.UnsafeRelaxedJsonEscaping : null, MaxDepth = int.MaxValue });
        _json.Reset(_buffer);
        try
        {
            BufferedMessage.WriteJson(message, schema, _json);
            _json.Flush();
            if (isReadable)
            {
                _readable.ResetWrittenCount();
                ReadableJson.Write(_buffer.WrittenSpan, _readable);
            }

            return null;
        }
        catch (MalformedMessageException exception)
        {
            return exception.Rule;
        }
    }

    /// <summary>Lists the parts of a message as lines that a terminal can show. The values in them are JSON.</summary>
    public static string Explain(ReadOnlySpan<byte> message, MessageSchema schema) =>
        TerminalText.EscapeLines(ReadableJson.ToText(Encoding.UTF8.GetBytes(BufferedMessage.Explain(message, schema))));

    /// <summary>Lists bytes as people read them: position, hex, and the characters of ASCII.</summary>
    public static string Hex(ReadOnlySpan<byte> bytes)
    {
        const int LineBytes = 16;
        var text = new StringBuilder();
        for (var i = 0; i < bytes.Length; i += LineBytes)
        {
            var line = bytes.Slice(i, Math.Min(LineBytes, bytes.Length - i));
            text.Append(CultureInfo.InvariantCulture, $"{i,6}  ");
            foreach (var value in line)
            {
                text.Append(CultureInfo.InvariantCulture, $"{value:x2} ");
            }

            text.Append(' ', (LineBytes - line.Length) * 3).Append(' ');
            foreach (var value in line)
            {
                text.Append(value is >= 0x20 and < 0x7f ? (char)value : '.');
            }

            text.Append('\n');
        }

        return text.ToString();
    }

    public void Dispose() => _json?.Dispose();
}
