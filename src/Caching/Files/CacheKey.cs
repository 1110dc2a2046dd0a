using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Unicode;

namespace BufferedMessages.Caching;

/// <summary>Converts keys to bytes: texts to UTF-8, the others as they are in memory. The compiler drops the branches of other types from each method.</summary>
internal static class CacheKey
{
    /// <summary>The bytes of scratch memory that a caller of <see cref="Encode"/> provides.</summary>
    public const int ScratchBytes = 256;

    private const int BytesKind = 1;
    private const int MaxUtf8PerChar = 3;

    /// <summary>Gets the number of a type of keys in the control file. Texts and bytes have the same.</summary>
    /// <exception cref="ArgumentException">The type cannot be a key.</exception>
    public static int KindOf<TKey>() =>
        typeof(TKey) == typeof(string) || typeof(TKey) == typeof(ReadOnlyMemory<byte>) ? BytesKind
        : typeof(TKey) == typeof(int) ? 2
        : typeof(TKey) == typeof(uint) ? 3
        : typeof(TKey) == typeof(long) ? 4
        : typeof(TKey) == typeof(ulong) ? 5
        : typeof(TKey) == typeof(Guid) ? 6
        : throw new ArgumentException(
            $"A cache cannot have keys of {typeof(TKey)}. Use string, ReadOnlyMemory<byte>, int, uint, long, ulong or Guid, or convert other keys to text or bytes.", nameof(TKey));

    public static string NameOf(int kind) => kind switch
    {
        BytesKind => "string or ReadOnlyMemory<byte>",
        2 => "int",
        3 => "uint",
        4 => "long",
        5 => "ulong",
        6 => "Guid",
        _ => "an unknown type",
    };

    /// <summary>Gets the bytes of a key.</summary>
    /// <param name="key">The key; the bytes of a number are its own, so it must stay where it is.</param>
    /// <param name="scratch">Memory for the bytes of a text.</param>
    /// <param name="rented">The array to <see cref="Return"/>, if the text did not fit; otherwise null.</param>
    /// <exception cref="ArgumentException">The text has an unpaired surrogate, which has no UTF-8 form.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> Encode<TKey>(in TKey key, Span<byte> scratch, out byte[]? rented)
    {
        rented = null;
        return IsText<TKey>() ? EncodeText(Unsafe.As<TKey, string>(ref Unsafe.AsRef(in key)), scratch, out rented) : AsBytes(in key);
    }

    /// <summary>Determines whether the bytes of a key must be encoded.</summary>
    public static bool IsText<TKey>() => typeof(TKey) == typeof(string);

    /// <summary>Gets the bytes of a key that is not a text; the bytes of a number are its own, so it must stay where it is.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> AsBytes<TKey>(in TKey key) => typeof(TKey) == typeof(ReadOnlyMemory<byte>)
        ? Unsafe.As<TKey, ReadOnlyMemory<byte>>(ref Unsafe.AsRef(in key)).Span
        : MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<TKey, byte>(ref Unsafe.AsRef(in key)), Unsafe.SizeOf<TKey>());

    /// <summary>Gets an equal key that stays as it is when the caller reuses the memory of its own.</summary>
    public static TKey Own<TKey>(TKey key) => typeof(TKey) == typeof(ReadOnlyMemory<byte>) ? Decode<TKey>(AsBytes(in key)) : key;

    /// <summary>Gets the bytes of a key as an array.</summary>
    /// <inheritdoc cref="Encode" path="/exception"/>
    public static byte[] ToArray<TKey>(TKey key)
    {
        using var encoded = new EncodedKey<TKey>(in key, stackalloc byte[ScratchBytes]);
        return encoded.Bytes.ToArray();
    }

    /// <summary>Converts bytes to a key.</summary>
    public static TKey Decode<TKey>(ReadOnlySpan<byte> bytes)
    {
        if (typeof(TKey) == typeof(string))
        {
            return (TKey)(object)Encoding.UTF8.GetString(bytes);
        }

        return typeof(TKey) == typeof(ReadOnlyMemory<byte>)
            ? (TKey)(object)new ReadOnlyMemory<byte>(bytes.ToArray())
            : Unsafe.ReadUnaligned<TKey>(ref MemoryMarshal.GetReference(bytes));
    }

    /// <summary>Determines whether bytes can be a key of the type.</summary>
    public static bool CanDecode<TKey>(ReadOnlySpan<byte> bytes) =>
        RuntimeHelpers.IsReferenceOrContainsReferences<TKey>() || bytes.Length == Unsafe.SizeOf<TKey>();

    public static void Return(byte[]? rented)
    {
        if (rented is not null)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    private static ReadOnlySpan<byte> EncodeText(string key, Span<byte> scratch, out byte[]? rented)
    {
        ArgumentNullException.ThrowIfNull(key);
        rented = null;
        var destination = scratch;
        if (key.Length > scratch.Length / MaxUtf8PerChar)
        {
            // A key for which no array is long enough fits into no segment either.
            rented = key.Length <= Array.MaxLength / MaxUtf8PerChar
                ? ArrayPool<byte>.Shared.Rent(key.Length * MaxUtf8PerChar)
                : throw new CacheEntryTooLargeException(key.Length, CacheRecord.MaxKeyBytes);
            destination = rented;
        }

        if (Utf8.FromUtf16(key, destination, out _, out var written, replaceInvalidSequences: false) != OperationStatus.Done)
        {
            Return(rented);
            throw new ArgumentException("The key has an unpaired surrogate, which has no UTF-8 form: two such keys would be the same. Use well-formed text, or bytes.", nameof(key));
        }

        return destination[..written];
    }
}
