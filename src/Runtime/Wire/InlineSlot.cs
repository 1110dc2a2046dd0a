using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>The slot that holds a short string or binary itself.</summary>
internal static class InlineSlot
{
    /// <summary>The slot of at most 7 bytes that are packed in a word, the first one lowest.</summary>
    public static ulong Of(ulong bytes, int length) => WireFormat.EmptySlot | ((ulong)length << 56) | bytes;

    /// <summary>The slot of at most 7 bytes: the bytes from the lowest on, and 0x80 + their number as the highest.</summary>
    public static ulong Of(ReadOnlySpan<byte> value)
    {
        ref var start = ref MemoryMarshal.GetReference(value);
        var length = value.Length;
        var bytes = length switch
        {
            0 => 0UL,
            1 => start,

            // The last load overlaps the one before it, where it has the same bytes.
            2 or 3 => Unsafe.ReadUnaligned<ushort>(ref start) | ((ulong)Unsafe.Add(ref start, length - 1) << (8 * (length - 1))),
            _ => Unsafe.ReadUnaligned<uint>(ref start) | ((ulong)Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, length - 4)) << (8 * (length - 4))),
        };
        return Of(bytes, length);
    }
}
