using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Unicode;

namespace BufferedMessages.Caching;

/// <summary>Keys as bytes: texts as UTF-8, the others as they are in memory. The compiler keeps of each method what the type needs.</summary>
internal static class CacheKey
{
    /// <summary>Bytes that a caller of <see cref="Encode"/> brings along.</summary>
    public const int ScratchBytes = 256;

    private const int BytesKind = 1;
    private const int MaxUtf8PerChar = 3;

    /// <summary>The number of a type of keys in the control file. Texts and bytes are the same.</summary>
    /// <exception cref="ArgumentException">No cache has such keys.</exception>
    public static int KindOf<TKey>() =>
        typeof(TKey) == typeof(string) || typeof(TKey) == typeof(ReadOnlyMemory<byte>) ? BytesKind
        : typeof(TKey) == typeof(int) ? 2
        : typeof(TKey) == typeof(uint) ? 3
        : typeof(TKey) == typeof(long) ? 4
        : typeof(TKey) == typeof(ulong) ? 5
        : typeof(TKey) == typeof(Guid) ? 6
        : throw new ArgumentException(
            $"A cache cannot have keys of {typeof(TKey)}. Use string, ReadOnlyMemory<byte>, int, uint, long, ulong or Guid; of other keys make a text or bytes.", nameof(TKey));

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

    /// <summary>Gives the bytes of a key.</summary>
    /// <param name="key">The key; the bytes of a number are its own, so it must stay where it is.</param>
    /// <param name="scratch">Room for the bytes of a text.</param>
    /// <param name="rented">What to give back to the shared pool, if the text is longer than that.</param>
    /// <exception cref="ArgumentException">The text has half a surrogate pair: no UTF-8 can say that.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> Encode<TKey>(in TKey key, Span<byte> scratch, out byte[]? rented)
    {
        rented = null;
        return IsText<TKey>() ? EncodeText(Unsafe.As<TKey, string>(ref Unsafe.AsRef(in key)), scratch, out rented) : AsBytes(in key);
    }

    /// <summary>The bytes of a key have to be made.</summary>
    public static bool IsText<TKey>() => typeof(TKey) == typeof(string);

    /// <summary>The bytes of a key that is no text; those of a number are its own, so it must stay where it is.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> AsBytes<TKey>(in TKey key) => typeof(TKey) == typeof(ReadOnlyMemory<byte>)
        ? Unsafe.As<TKey, ReadOnlyMemory<byte>>(ref Unsafe.AsRef(in key)).Span
        : MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<TKey, byte>(ref Unsafe.AsRef(in key)), Unsafe.SizeOf<TKey>());

    /// <summary>Makes a key of its bytes.</summary>
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

    /// <summary>The bytes can be a key of the type.</summary>
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
            rented = ArrayPool<byte>.Shared.Rent(checked(key.Length * MaxUtf8PerChar));
            destination = rented;
        }

        if (Utf8.FromUtf16(key, destination, out _, out var written, replaceInvalidSequences: false) != OperationStatus.Done)
        {
            Return(rented);
            throw new ArgumentException("The key has half a surrogate pair, which UTF-8 cannot say: two such keys would be one. Use well-formed text, or bytes.", nameof(key));
        }

        return destination[..written];
    }
}
