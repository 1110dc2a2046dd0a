using System.Buffers;
using System.Buffers.Text;
using System.Text;

namespace BufferedMessages.Tool;

/// <summary>JSON with its letters unescaped. With any encoder, the writer of .NET escapes those above U+FFFF, such as emoji, and spaces such as that of Japanese.</summary>
internal static class ReadableJson
{
    private const int EscapeBytes = 6;
    private const int MaxLetterBytes = 4;

    // Control characters stay escaped.
    private const char FirstLetter = '\u00A0';

    /// <summary>Returns JSON as text, with its escaped letters unescaped.</summary>
    /// <param name="json">The JSON as UTF-8.</param>
    public static string ToText(ReadOnlySpan<byte> json)
    {
        var readable = new ArrayBufferWriter<byte>();
        Write(json, readable);
        return Encoding.UTF8.GetString(readable.WrittenSpan);
    }

    /// <summary>Writes JSON, with its escaped letters unescaped.</summary>
    /// <param name="json">The JSON as UTF-8.</param>
    /// <param name="output">The receiver.</param>
    public static void Write(ReadOnlySpan<byte> json, IBufferWriter<byte> output)
    {
        Span<byte> utf8 = stackalloc byte[MaxLetterBytes];
        while (json.IndexOf((byte)'\\') is >= 0 and var at)
        {
            output.Write(json[..at]);
            json = json[at..];
            if (TryRead(json, out var letter))
            {
                output.Write(utf8[..letter.EncodeToUtf8(utf8)]);
                json = json[(letter.Utf16SequenceLength * EscapeBytes)..];
            }
            else
            {
                // The character after the backslash may be one, too.
                output.Write(json[..2]);
                json = json[2..];
            }
        }

        output.Write(json);
    }

    // A letter above U+FFFF is two escapes.
    private static bool TryRead(ReadOnlySpan<byte> json, out Rune letter)
    {
        letter = default;
        return TryReadUnit(json, out var first)
            && first >= FirstLetter
            && (Rune.TryCreate(first, out letter) || (TryReadUnit(json[EscapeBytes..], out var second) && Rune.TryCreate(first, second, out letter)));
    }

    private static bool TryReadUnit(ReadOnlySpan<byte> json, out char unit)
    {
        unit = default;
        if (json.Length < EscapeBytes || !json.StartsWith("\\u"u8) || !Utf8Parser.TryParse(json[2..EscapeBytes], out ushort value, out var read, 'X') || read != EscapeBytes - 2)
        {
            return false;
        }

        unit = (char)value;
        return true;
    }
}
