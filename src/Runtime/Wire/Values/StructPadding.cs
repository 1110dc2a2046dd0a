using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>The places of a struct's padding. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IStructPadding
{
    /// <summary>Gets pairs of offset and length of the padding within the struct, in bytes.</summary>
    static abstract ReadOnlySpan<ushort> Pairs { get; }
}

/// <summary>The clearing of the padding of stored structs, so that equal values give equal bytes and no stale memory leaves the process.</summary>
internal static class StructPadding
{
    /// <summary>Clears the padding of consecutive structs.</summary>
    /// <param name="first">The first struct.</param>
    /// <param name="count">Their number.</param>
    /// <param name="size">Size of one in bytes.</param>
    /// <param name="padding">Pairs of offset and length of the padding within a struct, in bytes.</param>
    public static void Clear(ref byte first, int count, int size, ReadOnlySpan<ushort> padding)
    {
        for (var i = 0; i + 1 < padding.Length; i += 2)
        {
            int offset = padding[i];
            var end = offset + padding[i + 1];
            if (end > size)
            {
                WriteFailure.ThrowOutsideOfBlock();
            }

            // Padding is a few bytes, where a general clear of memory costs a call for each struct.
            offset = ClearWords<ulong>(ref first, count, size, offset, end);
            offset = ClearWords<uint>(ref first, count, size, offset, end);
            ClearWords<byte>(ref first, count, size, offset, end);
        }
    }

    // Clears whole words from an offset on, in all structs, and gives the offset after them.
    private static int ClearWords<T>(ref byte first, int count, int size, int offset, int end)
        where T : unmanaged
    {
        for (; offset + Unsafe.SizeOf<T>() <= end; offset += Unsafe.SizeOf<T>())
        {
            ref var word = ref Unsafe.Add(ref first, offset);
            for (var i = 0; i < count; i++)
            {
                Unsafe.WriteUnaligned(ref Unsafe.Add(ref word, (nint)i * size), default(T));
            }
        }

        return offset;
    }
}
