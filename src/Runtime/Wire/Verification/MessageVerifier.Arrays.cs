using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <content>The arrays that a list is made of: values with presence bits, slots, blocks.</content>
public ref partial struct MessageVerifier
{
    /// <summary>Steps past the bitmap and the values of a list of values that may be null.</summary>
    /// <param name="position">The position of the list.</param>
    /// <param name="count">The number of its elements.</param>
    /// <param name="size">Bytes of a value.</param>
    /// <param name="alignment">Alignment of a value.</param>
    /// <param name="values">The position of the values.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool NullableArray(ulong position, uint count, int size, int alignment, out int values)
    {
        var valuesOffset = ListLayout.ValuesOffset(count, alignment);
        values = (int)position + (int)valuesOffset;
        return Claim(position, (ulong)valuesOffset + ((ulong)count * (uint)size), WireFormat.WordBytes)
            && BitmapEnd((int)position, (int)count, (int)valuesOffset);
    }

    /// <summary>Steps past an array of slots, and gets it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool SlotArray(ulong position, uint count, out BlockReader slots)
    {
        var bytes = (ulong)count * WireFormat.SlotBytes;
        slots = default;
        if (!Claim(position, bytes, WireFormat.WordBytes))
        {
            return false;
        }

        slots = BlockAt((int)position, (int)bytes);
        return true;
    }

    /// <summary>Steps past the blocks of a list of messages, and one deeper: <see cref="Leave"/> ends that.</summary>
    /// <param name="position">The position of the list.</param>
    /// <param name="count">The number of its elements.</param>
    /// <param name="first">The position of the first block.</param>
    /// <param name="blockBytes">Bytes of each block.</param>
    /// <param name="bitmap">The position of the presence bits; 0 if no element is null.</param>
    internal bool BlockArray(ulong position, uint count, out int first, out int blockBytes, out int bitmap)
    {
        (first, blockBytes, bitmap) = (0, 0, 0);
        if (position + WireFormat.MessageListHeaderBytes > (uint)_totalBytes)
        {
            return Fail(_slot, WireRule.Outside);
        }

        var header = Unsafe.ReadUnaligned<ulong>(ref At((int)position));
        blockBytes = (ushort)header * WireFormat.WordBytes;
        var hasBitmap = header >> 16 == WireFormat.MessageListHasBitmap;
        if (blockBytes == 0 || (header >> 16 != 0 && !hasBitmap))
        {
            return Fail((int)position, WireRule.MessageListHeader);
        }

        var bitmapBytes = hasBitmap ? ListLayout.ValuesOffset(count, WireFormat.WordBytes) : 0;
        var blocksOffset = WireFormat.MessageListHeaderBytes + (ulong)bitmapBytes;
        if (!Claim(position, blocksOffset + ((ulong)count * (uint)blockBytes), WireFormat.WordBytes))
        {
            return false;
        }

        first = (int)(position + blocksOffset);
        bitmap = hasBitmap ? (int)position + WireFormat.MessageListHeaderBytes : 0;
        return (!hasBitmap || Bitmap(bitmap, (int)count, (int)bitmapBytes)) && Enter();
    }

    /// <summary>Whether an element of a list, or a value of a block, is there, as the presence bits say.</summary>
    internal readonly bool IsPresent(int bitmap, int index) => (At(bitmap + (index >> 3)) & (1 << (index & 7))) != 0;

    private bool Bitmap(int position, int count, int bytes)
    {
        if (!BitmapEnd(position, count, bytes))
        {
            return false;
        }

        var full = count >> 3;
        var hasNull = Bytes(position, full).ContainsAnyExcept((byte)0xFF)
            || ((count & 7) != 0 && At(position + full) != (1 << (count & 7)) - 1);
        return hasNull || Fail(position, WireRule.NeedlessBitmap);
    }

    // The bits after the last element, and the bytes up to the end of the bitmap's padding.
    private bool BitmapEnd(int position, int count, int bytes)
    {
        var full = count >> 3;
        var rest = (count & 7) == 0 ? full : full + 1;
        return rest == full || At(position + full) >> (count & 7) == 0
            ? Zeros(position + rest, bytes - rest, WireRule.BitmapEnd)
            : Fail(position + full, WireRule.BitmapEnd);
    }
}
