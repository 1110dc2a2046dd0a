using System.Buffers;
using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>
/// A string of a message, read in place as UTF-8. Comparing it allocates nothing; <see cref="ToString"/> and the conversion to
/// <see cref="string"/> allocate the string.
/// </summary>
/// <remarks>
/// Valid as long as the bytes of the message are. Bytes that are not UTF-8 read as U+FFFD, as everywhere in .NET.
/// </remarks>
[DebuggerDisplay("{ToString()}")]
public readonly ref struct BufferedString : IBufferedElement<BufferedString>
{
    private readonly ReadOnlySpan<byte> _utf8;

    /// <summary>Creates a view of UTF-8 bytes. The default span is null; any other empty span is the empty string.</summary>
    public BufferedString(ReadOnlySpan<byte> utf8) => _utf8 = utf8;

    /// <summary>Gets the UTF-8 bytes; empty if the string is null.</summary>
    public ReadOnlySpan<byte> Utf8 => _utf8;

    /// <summary>Gets the length in UTF-8 bytes, not in characters; 0 if the string is null.</summary>
    public int Length => _utf8.Length;

    /// <summary>Gets whether the string is null.</summary>
    public bool IsNull => _utf8.IsNull;

    /// <summary>Gets whether the string is null or empty.</summary>
    public bool IsNullOrEmpty => _utf8.IsEmpty;

    /// <summary>Converts to a <see cref="string"/>, or null.</summary>
    public static implicit operator string?(BufferedString value) => value.ToString();

    /// <summary>Converts to the UTF-8 bytes; empty if the string is null.</summary>
    public static implicit operator ReadOnlySpan<byte>(BufferedString value) => value._utf8;

    /// <summary>Compares ordinally. Null equals only null.</summary>
    [OverloadResolutionPriority(2)]
    public static bool operator ==(BufferedString left, BufferedString right) => left.Equals(right);

    /// <summary>Compares ordinally. Null equals only null.</summary>
    [OverloadResolutionPriority(2)]
    public static bool operator !=(BufferedString left, BufferedString right) => !left.Equals(right);

    /// <inheritdoc cref="Equals(string?)"/>
    [OverloadResolutionPriority(1)]
    public static bool operator ==(BufferedString left, string? right) => left.Equals(right);

    /// <inheritdoc cref="Equals(string?)"/>
    [OverloadResolutionPriority(1)]
    public static bool operator !=(BufferedString left, string? right) => !left.Equals(right);

    /// <inheritdoc cref="Equals(string?)"/>
    [OverloadResolutionPriority(1)]
    public static bool operator ==(string? left, BufferedString right) => right.Equals(left);

    /// <inheritdoc cref="Equals(string?)"/>
    [OverloadResolutionPriority(1)]
    public static bool operator !=(string? left, BufferedString right) => !right.Equals(left);

    /// <inheritdoc cref="Equals(ReadOnlySpan{byte})"/>
    public static bool operator ==(BufferedString left, ReadOnlySpan<byte> right) => left.Equals(right);

    /// <inheritdoc cref="Equals(ReadOnlySpan{byte})"/>
    public static bool operator !=(BufferedString left, ReadOnlySpan<byte> right) => !left.Equals(right);

    /// <summary>Compares ordinally. Null equals only null.</summary>
    public bool Equals(BufferedString other) => IsNull == other.IsNull && _utf8.SequenceEqual(other._utf8);

    /// <summary>Compares ordinally with a string, without allocating. Null equals only null.</summary>
    public bool Equals(string? other) => other is null ? IsNull : Equals(other.AsSpan());

    /// <summary>Compares ordinally with characters, without allocating. Null does not equal an empty span.</summary>
    public bool Equals(ReadOnlySpan<char> other)
    {
        // A UTF-16 unit takes one to three bytes.
        if (IsNull || _utf8.Length < other.Length || _utf8.Length > (long)other.Length * 3)
        {
            return false;
        }

        return Ascii.Equals(_utf8, other) || EqualsByRunes(_utf8, other);
    }

    /// <summary>Compares with UTF-8 bytes, for example <c>"rush"u8</c>. Null does not equal an empty span.</summary>
    public bool Equals(ReadOnlySpan<byte> utf8) => !IsNull && _utf8.SequenceEqual(utf8);

    /// <summary>Throws, as for a span: a view cannot be boxed. Use == or Equals with a string or with UTF-8 bytes.</summary>
    /// <exception cref="NotSupportedException">Always.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public override bool Equals(object? obj) => throw new NotSupportedException("A view cannot be boxed. Use == or Equals with a string or with UTF-8 bytes.");

    /// <summary>Hashes the UTF-8 bytes; the result is the same in every process.</summary>
    public override int GetHashCode() => unchecked((int)XxHash64.Hash(_utf8));

    /// <summary>Copies the characters to <paramref name="destination"/>.</summary>
    /// <returns>True if they fit; otherwise the content of the destination is undefined.</returns>
    public bool TryCopyTo(Span<char> destination, out int charsWritten) =>
        System.Text.Unicode.Utf8.ToUtf16(_utf8, destination, out _, out charsWritten) == OperationStatus.Done;

    /// <summary>Creates a <see cref="string"/>; null if the string is null. Allocates.</summary>
    /// <exception cref="MalformedMessageException">Another process changed the bytes while they were read.</exception>
    public override string? ToString() => IsNull ? null : Utf8Text.Read(_utf8);

    static bool IVerifiedPayload.Verify(ref MessageVerifier verifier, BlockReader container, int offset) => verifier.Text(container, offset);

    static BufferedString IBufferedElement<BufferedString>.Read(BlockReader slots, int offset) => new(slots.ReadBinary(offset));

    static BufferedString IBufferedElement<BufferedString>.ReadElement(BlockReader slots, int offset) => new(slots.ReadBinaryElement(offset));

    private static bool EqualsByRunes(ReadOnlySpan<byte> utf8, ReadOnlySpan<char> chars)
    {
        while (!utf8.IsEmpty && !chars.IsEmpty)
        {
            Rune.DecodeFromUtf8(utf8, out var rune, out var bytesConsumed);

            // An unpaired surrogate decodes as U+FFFD too, but no stored text reads as one.
            var status = Rune.DecodeFromUtf16(chars, out var other, out var charsConsumed);
            if (status != OperationStatus.Done || rune != other)
            {
                return false;
            }

            utf8 = utf8[bytesConsumed..];
            chars = chars[charsConsumed..];
        }

        return utf8.IsEmpty && chars.IsEmpty;
    }
}
