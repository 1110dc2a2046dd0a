using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>Records for people: a line with position and JSON, or a listing of bytes. Serves one thread at a time.</summary>
/// <param name="call">The command.</param>
/// <param name="form">The form of a message.</param>
/// <param name="template">The form of <see cref="RecordForm.Template"/>; null for others.</param>
/// <param name="showProperties">Whether a second line has the properties.</param>
internal sealed class RecordText(Call call, RecordForm form, RecordTemplate? template, bool showProperties) : IDisposable
{
    private readonly MessageText _text = new(isReadable: true);

    /// <summary>Writes a record.</summary>
    /// <returns>Whether the message is whole.</returns>
    public bool Write(in Delivery<RawMessage> delivery, SchemaVersions schemas)
    {
        var bytes = delivery.Message.Bytes;
        var schema = schemas.Newest;
        var error = schema is null ? null : _text.Write(bytes, schema);
        var head = call.Palette.Paint(Quantity.Of(delivery.Position), Ink.Heading);
        if (form == RecordForm.Template)
        {
            call.WriteLine(template!.Fill(delivery, schema is null || error is not null ? default : _text.Json));
        }
        else if (form == RecordForm.Hex || schema is null || error is not null)
        {
            call.WriteLine($"{head}  {Quantity.Count(bytes.Length, "byte")}{(error is null ? "" : call.Palette.Paint($"  malformed: {TerminalText.Escape(error)}", Ink.Bad))}");
            call.Out.Write(form == RecordForm.Explain && schema is not null ? MessageText.Explain(bytes, schema) : MessageText.Hex(bytes));
        }
        else if (form == RecordForm.Explain)
        {
            call.WriteLine($"{head}  {Quantity.Count(bytes.Length, "byte")}");
            call.Out.Write(MessageText.Explain(bytes, schema));
        }
        else
        {
            call.WriteLine($"{head}  {_text.Line}");
        }

        if (showProperties && !delivery.Properties.IsEmpty)
        {
            call.WriteLine("  " + call.Palette.Paint(PropertiesOf(delivery.Properties), Ink.Faint));
        }

        return error is null;
    }

    /// <summary>Gives properties as one line.</summary>
    public static string PropertiesOf(DeliveryProperties properties)
    {
        var written = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(written, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            RecordJson.Write(json, properties.ToProperties());
        }

        return TerminalText.Escape(ReadableJson.ToText(written.WrittenSpan));
    }

    public void Dispose() => _text.Dispose();
}

/// <summary>The forms of a record for people.</summary>
internal enum RecordForm
{
    /// <summary>A line of JSON; bytes as hex.</summary>
    Line,

    /// <summary>A listing that names every byte.</summary>
    Explain,

    /// <summary>The bytes as hex.</summary>
    Hex,

    /// <summary>A line as the user described it.</summary>
    Template,
}
