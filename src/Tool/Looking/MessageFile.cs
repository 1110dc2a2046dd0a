using System.CommandLine;

namespace BufferedMessages.Tool;

/// <summary>A file with one message. It does not say of which type the message is, so a schema comes from elsewhere.</summary>
internal static class MessageFile
{
    private const int WordBytes = 8;

    /// <summary>Writes the little that a message says without its schema.</summary>
    public static ExitCode Describe(Call call, Target target)
    {
        var bytes = File.ReadAllBytes(target.Path);
        var block = System.Buffers.Binary.BinaryPrimitives.ReadUInt16LittleEndian(bytes) * WordBytes;
        if (call.IsJson)
        {
            call.Json.Write((target, bytes, block), static (json, file) =>
            {
                json.WriteStartObject();
                json.WriteString("kind"u8, "message"u8);
                json.WriteString("path"u8, file.target.Path);
                json.WriteNumber("version"u8, file.bytes[2]);
                json.WriteNumber("bytes"u8, file.bytes.Length);
                json.WriteNumber("rootBlockBytes"u8, file.block);
                json.WriteEndObject();
            });
        }
        else
        {
            call.WriteLine($"{call.Palette.Paint(TerminalText.Escape(target.Name), Ink.Heading)}   message of {Quantity.Count(bytes.Length, "byte")}, version {bytes[2]}, root block of {Quantity.Count(block, "byte")}");
            call.WriteLine("  Its members need a schema: `explain` with --schema shows them.");
        }

        return ExitCode.Fine;
    }
}
