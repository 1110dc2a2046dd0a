using System.Runtime.CompilerServices;
using System.Text;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>The names of serializers. In a record the fingerprint of the name is at the place of a schema's fingerprint.</summary>
internal static class SerializerName
{
    private const int MaxStackBytes = 256;

    // A schema's text never begins like this, so the fingerprints of names and of schemas differ.
    private static ReadOnlySpan<byte> Prefix => "serializer:"u8;

    /// <summary>Gets the fingerprint of a serializer's name; never 0, which is that of bytes.</summary>
    /// <exception cref="ArgumentException">The name is empty.</exception>
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
        var end = Prefix.Length + Encoding.UTF8.GetBytes(name, text[Prefix.Length..]);
        return Math.Max(XxHash64.Hash(text[..end]), 1);
    }
}
