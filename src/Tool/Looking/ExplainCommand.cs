using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>Names every byte of a message in a file.</summary>
internal static class ExplainCommand
{
    public static Command Create()
    {
        var file = new Argument<string>("FILE") { Description = "A file with one message." };
        var source = new Option<string?>("--schema") { Description = $"The schema: {SchemaSource.Help}.", HelpName = "SOURCE" };
        var exact = new Option<bool>("--exact") { Description = "Also require that bytes that belong to no member are as a writer of this schema leaves them." };
        var command = new ToolCommand("explain", "Name every byte of a message in a file, and verify it.", "explain order.message --schema /var/lib/shop/orders", "explain order.message --schema order.schema --json") { file, source, exact };
        command.Run(call => Explain(call, call.Value(file), call.Value(source), call.Value(exact)));
        return command;
    }

    private static ExitCode Explain(Call call, string path, string? source, bool isExact)
    {
        // Damaged files are explained too, so the header need not be right.
        if (!File.Exists(path) || Recognition.Find(Path.GetFullPath(path)) is { Kind: not TargetKind.Message })
        {
            TargetResolver.Find(path, TargetKind.Message);
        }

        var message = File.ReadAllBytes(path);
        var schema = source is null ? null : SchemaSource.FindFor(message, source);
        if (schema is null)
        {
            call.Out.Write(call.IsJson ? "" : MessageText.Hex(message));
            throw source is null ? new ToolException($"The bytes have no names without a schema. Give --schema and {SchemaSource.Help}.") : SchemaSource.Missing(source);
        }

        var isWhole = BufferedMessage.Verify(message, schema, out var error, isExact);
        if (call.IsJson)
        {
            WriteJson(call, message, schema, isWhole ? null : error);
        }
        else
        {
            call.Out.Write(MessageText.Explain(message, schema));
            call.WriteLine(isWhole ? call.Palette.Paint("The message is whole.", Ink.Good) : call.Palette.Paint(TerminalText.Escape($"Damaged: {error}"), Ink.Bad));
        }

        return isWhole ? ExitCode.Fine : ExitCode.Negative;
    }

    private static void WriteJson(Call call, byte[] message, MessageSchema schema, MessageError? error)
    {
        using var text = new MessageText(isReadable: false);
        var json = error is null && text.Write(message, schema) is null ? text.Json : default;
        call.Json.Write(new MessageReport(json, schema.Name, error), static (json, report) => report.Write(json));
    }

    private readonly ref struct MessageReport(ReadOnlySpan<byte> message, string schema, MessageError? error)
    {
        private readonly ReadOnlySpan<byte> _message = message;

        public void Write(System.Text.Json.Utf8JsonWriter json)
        {
            json.WriteStartObject();
            json.WriteString("schema"u8, schema);
            if (error is { } found)
            {
                json.WriteStartObject("error"u8);
                json.WriteString("rule"u8, found.Rule);
                json.WriteNumber("offset"u8, found.Offset);
                json.WriteString("path"u8, found.Path);
                json.WriteEndObject();
            }

            if (!_message.IsEmpty)
            {
                json.WritePropertyName("message"u8);
                json.WriteRawValue(_message, skipInputValidation: true);
            }

            json.WriteEndObject();
        }
    }
}
