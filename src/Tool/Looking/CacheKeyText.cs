using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace BufferedMessages.Tool;

/// <summary>Keys of a cache as text.</summary>
internal static class CacheKeyText
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Gives the word for a kind of keys.</summary>
    public static string KindOf(int kind) => kind switch
    {
        1 => "text or bytes",
        2 => "int",
        3 => "uint",
        4 => "long",
        5 => "ulong",
        6 => "Guid",
        _ => $"of an unknown kind {kind}",
    };

    /// <summary>Gives a key. Bytes that are not UTF-8 are in hex.</summary>
    public static string Of(int kind, byte[] key) => (kind, key.Length) switch
    {
        (2, sizeof(int)) => BinaryPrimitives.ReadInt32LittleEndian(key).ToString(CultureInfo.InvariantCulture),
        (3, sizeof(uint)) => BinaryPrimitives.ReadUInt32LittleEndian(key).ToString(CultureInfo.InvariantCulture),
        (4, sizeof(long)) => BinaryPrimitives.ReadInt64LittleEndian(key).ToString(CultureInfo.InvariantCulture),
        (5, sizeof(ulong)) => BinaryPrimitives.ReadUInt64LittleEndian(key).ToString(CultureInfo.InvariantCulture),
        (6, 16) => new Guid(key).ToString(),
        _ => TextOf(key),
    };

    private static string TextOf(byte[] key)
    {
        try
        {
            return Strict.GetString(key);
        }
        catch (DecoderFallbackException)
        {
            return "0x" + Convert.ToHexString(key);
        }
    }
}
