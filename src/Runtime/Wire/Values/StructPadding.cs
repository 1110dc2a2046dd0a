using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace BufferedMessages.Wire;

/// <summary>The places of a struct's padding. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IStructPadding
{
    /// <summary>Gets pairs of offset and length of the padding within the struct, in bytes.</summary>
    static abstract ReadOnlySpan<ushort> Pairs { get; }
}

/// <summary>
/// The padding of stored structs, which is zero, so that equal values give equal bytes and no stale memory leaves the process. Lists are copied and
/// checked with a mask in a few vectors for each struct; the last vector overlaps the one before it, so that none is shorter.
/// </summary>
internal static class StructPadding
{
    // A mask is built once for a list, on the stack.
    private const int MaxMaskBytes = 256;

    /// <summary>Copies structs without their padding.</summary>
    /// <param name="values">The structs.</param>
    /// <param name="destination">Room for all of them.</param>
    /// <param name="padding">Pairs of offset and length of the padding within a struct, in bytes.</param>
    [SkipLocalsInit]
    public static void Copy<T>(ReadOnlySpan<T> values, ref byte destination, ReadOnlySpan<ushort> padding)
        where T : unmanaged
    {
        var bytes = MemoryMarshal.AsBytes(values);
        if (!HasMask<T>())
        {
            bytes.CopyTo(MemoryMarshal.CreateSpan(ref destination, bytes.Length));
            Clear(ref destination, values.Length, Unsafe.SizeOf<T>(), padding);
            return;
        }

        Span<byte> mask = stackalloc byte[Unsafe.SizeOf<T>()];
        FillMask(mask, padding);
        ref var keep = ref MemoryMarshal.GetReference(mask);
        ref var source = ref MemoryMarshal.GetReference(bytes);
        for (nint at = 0; at < bytes.Length; at += Unsafe.SizeOf<T>())
        {
            ref var from = ref Unsafe.Add(ref source, at);
            ref var to = ref Unsafe.Add(ref destination, at);
            if (Unsafe.SizeOf<T>() >= Vector256<byte>.Count)
            {
                for (nuint i = 0; i < LastOf<T>(Vector256<byte>.Count); i += (nuint)Vector256<byte>.Count)
                {
                    (Vector256.LoadUnsafe(ref from, i) & Vector256.LoadUnsafe(ref keep, i)).StoreUnsafe(ref to, i);
                }

                var last = LastOf<T>(Vector256<byte>.Count);
                (Vector256.LoadUnsafe(ref from, last) & Vector256.LoadUnsafe(ref keep, last)).StoreUnsafe(ref to, last);
            }
            else if (Unsafe.SizeOf<T>() >= Vector128<byte>.Count)
            {
                var last = LastOf<T>(Vector128<byte>.Count);
                (Vector128.LoadUnsafe(ref from) & Vector128.LoadUnsafe(ref keep)).StoreUnsafe(ref to);
                (Vector128.LoadUnsafe(ref from, last) & Vector128.LoadUnsafe(ref keep, last)).StoreUnsafe(ref to, last);
            }
            else
            {
                var last = (nint)LastOf<T>(sizeof(ulong));
                Unsafe.WriteUnaligned(ref to, Word(ref from) & Word(ref keep));
                Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, last), Word(ref Unsafe.Add(ref from, last)) & Word(ref Unsafe.Add(ref keep, last)));
            }
        }
    }

    /// <summary>Whether the padding of stored structs is zero. False may also mean that this cannot be determined for all of them together.</summary>
    /// <param name="first">The first struct.</param>
    /// <param name="count">Their number.</param>
    /// <param name="padding">Pairs of offset and length of the padding within a struct, in bytes.</param>
    [SkipLocalsInit]
    public static bool AreZero<T>(ref byte first, int count, ReadOnlySpan<ushort> padding)
        where T : unmanaged
    {
        if (!HasMask<T>())
        {
            return false;
        }

        Span<byte> mask = stackalloc byte[Unsafe.SizeOf<T>()];
        FillMask(mask, padding);
        ref var keep = ref MemoryMarshal.GetReference(mask);
        var seen = Vector256<byte>.Zero;
        for (var (at, end) = ((nint)0, (nint)count * Unsafe.SizeOf<T>()); at < end; at += Unsafe.SizeOf<T>())
        {
            ref var from = ref Unsafe.Add(ref first, at);
            if (Unsafe.SizeOf<T>() >= Vector256<byte>.Count)
            {
                for (nuint i = 0; i < LastOf<T>(Vector256<byte>.Count); i += (nuint)Vector256<byte>.Count)
                {
                    seen |= Vector256.AndNot(Vector256.LoadUnsafe(ref from, i), Vector256.LoadUnsafe(ref keep, i));
                }

                var last = LastOf<T>(Vector256<byte>.Count);
                seen |= Vector256.AndNot(Vector256.LoadUnsafe(ref from, last), Vector256.LoadUnsafe(ref keep, last));
            }
            else if (Unsafe.SizeOf<T>() >= Vector128<byte>.Count)
            {
                var last = LastOf<T>(Vector128<byte>.Count);
                seen |= Vector256.Create(
                    Vector128.AndNot(Vector128.LoadUnsafe(ref from), Vector128.LoadUnsafe(ref keep)),
                    Vector128.AndNot(Vector128.LoadUnsafe(ref from, last), Vector128.LoadUnsafe(ref keep, last)));
            }
            else
            {
                var last = (nint)LastOf<T>(sizeof(ulong));
                seen |= Vector256.CreateScalar(
                    (Word(ref from) & ~Word(ref keep)) | (Word(ref Unsafe.Add(ref from, last)) & ~Word(ref Unsafe.Add(ref keep, last)))).AsByte();
            }
        }

        return seen == Vector256<byte>.Zero;
    }

    /// <summary>Clears the padding of consecutive structs.</summary>
    /// <param name="first">The first struct.</param>
    /// <param name="count">Their number.</param>
    /// <param name="size">Size of one in bytes.</param>
    /// <param name="padding">Pairs of offset and length of the padding within a struct, in bytes.</param>
    public static void Clear(ref byte first, int count, int size, ReadOnlySpan<ushort> padding)
    {
        for (var i = 0; i + 1 < padding.Length; i += 2)
        {
            Require(padding[i], padding[i + 1], size);
            for (nint at = 0; at < (nint)count * size; at += size)
            {
                Unsafe.InitBlockUnaligned(ref Unsafe.Add(ref first, at + padding[i]), 0, padding[i + 1]);
            }
        }
    }

    // Smaller structs have no whole word, larger ones little padding for their size.
    private static bool HasMask<T>()
        where T : unmanaged
        => Unsafe.SizeOf<T>() is >= sizeof(ulong) and <= MaxMaskBytes;

    private static nuint LastOf<T>(int vectorBytes)
        where T : unmanaged
        => (nuint)(Unsafe.SizeOf<T>() - vectorBytes);

    private static ulong Word(ref byte start) => Unsafe.ReadUnaligned<ulong>(ref start);

    private static void FillMask(Span<byte> mask, ReadOnlySpan<ushort> padding)
    {
        Debug.Assert(mask.Length is > 0 and <= MaxMaskBytes, "A mask has the bytes of a struct.");
        mask.Fill(byte.MaxValue);
        for (var i = 0; i + 1 < padding.Length; i += 2)
        {
            Require(padding[i], padding[i + 1], mask.Length);
            mask.Slice(padding[i], padding[i + 1]).Clear();
        }
    }

    private static void Require(int offset, int bytes, int size)
    {
        if (offset + bytes > size)
        {
            WriteFailure.ThrowOutsideOfBlock();
        }
    }
}
