using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>The names of serializers. In a record the fingerprint of the name is at the place of a schema's fingerprint.</summary>
internal static class SerializerName
{
    private const int MaxStackBytes = 256;

    // A schema's text never begins like this, so the fingerprints of names and of schemas differ.
    private static ReadOnlySpan<byte> Prefix => "serializer:"u8;

    /// <summary>Gets the fingerprint of a serializer's name; never 0, which is that of bytes.</summary>
    /// <exception cref="ArgumentException">The name is empty, or not well-formed text.</exception>
    [SkipLocalsInit]
    public static ulong FingerprintOf<T>(ICacheSerializer<T> serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        var name = serializer.Name;
        if (string.IsNullOrEmpty(name))
        {
            throw new ArgumentException($"The name of {serializer.GetType()} is empty. Give its format a name, for example 'json'.", nameof(serializer));
        }

        var length = Prefix.Length + Encoding.UTF8.GetMaxByteCount(name.Length);
        var text = length <= MaxStackBytes ? stackalloc byte[MaxStackBytes] : new byte[length];
        Prefix.CopyTo(text);
        return Utf8.FromUtf16(name, text[Prefix.Length..], out _, out var written, replaceInvalidSequences: false) == OperationStatus.Done
            ? Math.Max(XxHash64.Hash(text[..(Prefix.Length + written)]), 1)
            : throw new ArgumentException($"The name of {serializer.GetType()} has an unpaired surrogate, which has no UTF-8 form: two such names would be the same.", nameof(serializer));
    }
}
