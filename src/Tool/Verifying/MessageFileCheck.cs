namespace BufferedMessages.Tool;

/// <summary>The verification of a file with one message.</summary>
internal static class MessageFileCheck
{
    /// <summary>Verifies a file by a schema, whatever its bytes are.</summary>
    /// <param name="call">The command.</param>
    /// <param name="file">The file.</param>
    /// <param name="schemaSource">The source of the schema.</param>
    public static ExitCode Verify(Call call, string file, string schemaSource)
    {
        if (!File.Exists(file))
        {
            throw Nearby.Missing(file, Path.GetFullPath(file), TargetKind.Message);
        }

        var bytes = File.ReadAllBytes(file);
        var schema = SchemaSource.FindFor(bytes, schemaSource) ?? throw SchemaSource.Missing(schemaSource);
        var isSound = BufferedMessage.Verify(bytes, schema, out var error);
        if (call.IsJson)
        {
            call.Json.Write((file, bytes, schema, error, isSound), static (json, check) =>
            {
                json.WriteStartObject();
                json.WriteString("result"u8, check.isSound ? "sound"u8 : "damaged"u8);
                json.WriteString("file"u8, Path.GetFullPath(check.file));
                json.WriteNumber("bytes"u8, check.bytes.Length);
                json.WriteString("schema"u8, check.schema.Name);
                if (!check.isSound)
                {
                    json.WriteNumber("position"u8, check.error.Offset);
                    json.WriteString("member"u8, check.error.Path);
                    json.WriteString("rule"u8, check.error.Rule);
                }

                json.WriteEndObject();
            });
        }
        else
        {
            call.WriteLine(isSound
                ? $"{call.Palette.Paint("sound", Ink.Good)}: a message of {Quantity.Count(bytes.Length, "byte")}, {TerminalText.Escape(schema.Name)}"
                : $"{call.Palette.Paint("damaged", Ink.Bad)} {TerminalText.Escape(Path.GetFileName(file))} {TerminalText.Escape(error.ToString())}");
        }

        return isSound ? ExitCode.Fine : ExitCode.Negative;
    }
}
