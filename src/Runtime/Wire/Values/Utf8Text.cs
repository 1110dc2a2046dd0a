using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;
using System.Text.Unicode;

namespace BufferedMessages.Wire;

/// <summary>
/// Counts, writes, reads and verifies the UTF-8 bytes of strings; refuses text that has no UTF-8 form. Short ASCII strings, the usual names and keys,
/// are handled here in a few vector steps, because the framework's general methods cost more for them than all other parts of a message.
/// The framework does the rest.
/// </summary>
internal static class Utf8Text
{
    /// <summary>The most bytes per character: a surrogate pair takes four for both of its characters.</summary>
    public const int MaxBytesPerChar = 3;

    /// <summary>The result of a write to too little memory.</summary>
    public const int TooSmall = -1;

    private const int Surrogate = -2;
    private const ushort NotAscii = 0xFF80;
    private const ulong NotAsciiBytes = 0x8080_8080_8080_8080;
    private const ulong FourNotAscii = 0xFF80_FF80_FF80_FF80;

    // Above these lengths the framework's wider vectors win. Our time divided by the framework's for ASCII, at lengths of 16, 64, 96, 128, 192 and 256 (with up to 15 more):
    // writing 0.39, 0.73, 0.80, 0.76, 0.89, 1.09; counting 0.38, 0.72, 1.07, 1.25, 1.52, 1.91; checking 0.40, 0.45, 0.54, 0.84, 1.13, 1.44.
    // A text with one letter outside of ASCII is read twice, and takes 5 to 10 ns more than the framework alone.
    private const int MaxWrittenChars = 192;
    private const int MaxCountedChars = 80;
    private const int MaxCheckedBytes = 160;
    private static readonly int VectorLength = Vector128<ushort>.Count;

    /// <summary>Number of UTF-8 bytes; an unpaired surrogate counts three, writing refuses it.</summary>
    public static int CountBytes(string value)
    {
        var isAscii = value.Length < VectorLength ? TryPackAscii(value, out _) : value.Length <= MaxCountedChars && IsAscii(value);
        return isAscii ? value.Length : Encoding.UTF8.GetByteCount(value);
    }

    /// <summary>Packs fewer than 8 ASCII characters into a word, the first one lowest.</summary>
    /// <returns>Whether they are ASCII.</returns>
    public static bool TryPackAscii(string value, out ulong bytes)
    {
        ref var chars = ref FirstChar(value);
        var length = value.Length;
        if (length >= 4)
        {
            // The first and the last four; where they overlap they have the same bytes.
            var first = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref chars));
            var last = Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref Unsafe.Add(ref chars, length - 4)));
            var units = Vector128.Create(first, last).AsUInt16();
            var halves = Narrow(units, units).AsUInt64().ToScalar();
            bytes = (uint)halves | (halves >> 32 << (8 * (length - 4)));
            return ((first | last) & FourNotAscii) == 0;
        }

        if (length == 0)
        {
            bytes = 0;
            return true;
        }

        // The first, the middle and the last one, of which some are the same.
        uint start = chars;
        uint middle = Unsafe.Add(ref chars, length >> 1);
        uint end = Unsafe.Add(ref chars, length - 1);
        bytes = start | (middle << (8 * (length >> 1))) | (end << (8 * (length - 1)));
        return ((start | middle | end) & NotAscii) == 0;
    }

    /// <summary>Writes the bytes of a string of 8 to 192 characters if it is ASCII and fits. It calls nothing, so it saves no registers.</summary>
    /// <returns>Whether it did; otherwise the bytes of the destination are undefined.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryWriteAscii(string value, ref byte destination, int length)
    {
        if (value.Length < VectorLength || value.Length > MaxWrittenChars || value.Length > length)
        {
            return false;
        }

        ref var chars = ref FirstChar(value);
        var last = value.Length - (2 * VectorLength);
        if (last < 0)
        {
            return TryWriteTwoHalves(ref chars, value.Length - VectorLength, ref destination);
        }

        var seen = WriteNarrowed(ref chars, last, ref destination);
        for (var i = 0; i < last; i += 2 * VectorLength)
        {
            seen |= WriteNarrowed(ref chars, i, ref destination);
        }

        return IsAscii(seen);
    }

    /// <summary>Writes the UTF-8 bytes of a string.</summary>
    /// <returns>Bytes written, or a negative number for <see cref="ThrowFailure"/>; the written bytes are undefined then.</returns>
    public static int Write(string value, Span<byte> destination) =>
        TryWriteAscii(value, ref MemoryMarshal.GetReference(destination), destination.Length) ? value.Length : Write(value.AsSpan(), destination);

    /// <summary>Writes the UTF-8 bytes of a text of any length.</summary>
    /// <returns>Bytes written, or a negative number for <see cref="ThrowFailure"/>; the written bytes are undefined then.</returns>
    public static int Write(ReadOnlySpan<char> value, Span<byte> destination)
    {
        var status = Utf8.FromUtf16(value, destination, out _, out var written, replaceInvalidSequences: false);
        return status switch
        {
            OperationStatus.Done => written,
            OperationStatus.DestinationTooSmall => TooSmall,
            _ => Surrogate,
        };
    }

    /// <summary>Creates a string from UTF-8 bytes; bytes that are not UTF-8 become U+FFFD.</summary>
    /// <exception cref="MalformedMessageException">Another process changed the bytes while they were read.</exception>
    public static string Read(ReadOnlySpan<byte> utf8)
    {
        try
        {
            return Encoding.UTF8.GetString(utf8);
        }
        catch (ArgumentException)
        {
            // The framework counts the characters first. If the bytes hold more of them a moment later, it throws this.
            Malformed.Throw(WireRule.ChangedText, utf8.Length);
            return "";
        }
    }

    /// <summary>Throws the exception for a negative result of a write.</summary>
    [DoesNotReturn]
    public static void ThrowFailure(int result, int destinationBytes)
    {
        if (result == Surrogate)
        {
            WriteFailure.ThrowSurrogate();
        }

        WriteFailure.ThrowTooSmall(destinationBytes);
    }

    /// <summary>Whether the bytes are UTF-8.</summary>
    public static bool IsValid(ReadOnlySpan<byte> utf8) =>
        (utf8.Length >= sizeof(ulong) && utf8.Length <= MaxCheckedBytes && IsShortAscii(ref MemoryMarshal.GetReference(utf8), utf8.Length)) || Utf8.IsValid(utf8);

    // Of 8 bytes and more: whole words or vectors, the last one overlapping the one before.
    private static bool IsShortAscii(ref byte bytes, int length)
    {
        if (length < Vector128<byte>.Count)
        {
            var words = Unsafe.ReadUnaligned<ulong>(ref bytes) | Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref bytes, length - sizeof(ulong)));
            return (words & NotAsciiBytes) == 0;
        }

        var last = length - Vector128<byte>.Count;
        var seen = Vector128.LoadUnsafe(ref bytes, (nuint)last);
        for (var i = 0; i < last; i += Vector128<byte>.Count)
        {
            seen |= Vector128.LoadUnsafe(ref bytes, (nuint)i);
        }

        return seen.ExtractMostSignificantBits() == 0;
    }

    // In both methods the last step overlaps the one before it, so that no step is shorter than its vectors.
    private static bool IsAscii(string value)
    {
        ref var chars = ref FirstChar(value);
        var last = value.Length - VectorLength;
        var seen = Vector128.LoadUnsafe(ref chars, (nuint)last);
        for (var i = 0; i < last; i += VectorLength)
        {
            seen |= Vector128.LoadUnsafe(ref chars, (nuint)i);
        }

        return IsAscii(seen);
    }

    // 8 to 15 characters: the first and the last 8.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryWriteTwoHalves(ref ushort chars, int last, ref byte destination)
    {
        var first = Vector128.LoadUnsafe(ref chars);
        var second = Vector128.LoadUnsafe(ref chars, (nuint)last);
        var halves = Narrow(first, second).AsUInt64();
        Unsafe.WriteUnaligned(ref destination, halves.ToScalar());
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, last), halves.GetElement(1));
        return IsAscii(first | second);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ushort> WriteNarrowed(ref ushort chars, int index, ref byte destination)
    {
        var lower = Vector128.LoadUnsafe(ref chars, (nuint)index);
        var upper = Vector128.LoadUnsafe(ref chars, (nuint)(index + VectorLength));
        Narrow(lower, upper).StoreUnsafe(ref destination, (nuint)index);
        return lower | upper;
    }

    // Signed saturation is a single instruction and keeps ASCII as it is.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> Narrow(Vector128<ushort> lower, Vector128<ushort> upper) =>
        Vector128.NarrowWithSaturation(lower.AsInt16(), upper.AsInt16()).AsByte();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsAscii(Vector128<ushort> units) => (units & Vector128.Create(NotAscii)) == Vector128<ushort>.Zero;

    private static ref ushort FirstChar(string value) =>
        ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(value.AsSpan()));
}
