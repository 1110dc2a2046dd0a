using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <content>Blocks and the values of fixed size in them.</content>
public ref partial struct MessageVerifier
{
    /// <summary>Verifies the size of a block.</summary>
    /// <param name="block">The block.</param>
    /// <param name="bytes">Its size as the type has it. A writer with fewer or more members has another one, unless the verification is exact.</param>
    public bool Block(BlockReader block, int bytes) =>
        !_isExact || block.BlockBytes == bytes || Fail(PositionOf(block), WireRule.BlockSize);

    /// <summary>Verifies bytes of a block that belong to no member, if the verification is exact.</summary>
    public bool Hole(BlockReader block, int offset, int bytes) =>
        !_isExact || Zeros(PositionOf(block) + offset, bytes, WireRule.Hole);

    /// <summary>Verifies bits of a presence byte that belong to no member, if the verification is exact.</summary>
    public bool UnusedBits(BlockReader block, int offset, int mask)
    {
        var position = PositionOf(block) + offset;
        return !_isExact || (At(position) & mask) == 0 || Fail(position, WireRule.Hole);
    }

    /// <summary>Verifies a value that its type may be unable to hold.</summary>
    public bool Value<T>(BlockReader block, int offset, string name)
        where T : unmanaged
        => !block.Holds(offset, Unsafe.SizeOf<T>()) || Value<T>(PositionOf(block) + offset) || In(name);

    /// <summary>Verifies the padding of a struct: pairs of offset and length, in bytes.</summary>
    public bool Padding<T>(BlockReader block, int offset, string name, ReadOnlySpan<ushort> padding)
        where T : unmanaged
        => !block.Holds(offset, Unsafe.SizeOf<T>()) || Padding(PositionOf(block) + offset, padding) || In(name);

    /// <summary>Verifies a value that may be null: without one its bytes are zero.</summary>
    public bool Nullable<T>(BlockReader block, int offset, int presenceBit, string name, ReadOnlySpan<ushort> padding = default)
        where T : unmanaged
    {
        if (!block.Holds(offset, Unsafe.SizeOf<T>()) || !block.Holds(presenceBit >> 3, 1))
        {
            return true;
        }

        var position = PositionOf(block);
        return Nullable<T>(position + offset, IsPresent(position, presenceBit), padding) || In(name);
    }

    internal bool Nullable<T>(int position, bool isPresent, ReadOnlySpan<ushort> padding)
        where T : unmanaged
        => isPresent
            ? Value<T>(position) && Padding(position, padding)
            : Zeros(position, Unsafe.SizeOf<T>(), WireRule.Absent);

    internal bool Value<T>(int position)
        where T : unmanaged
        => WireValue.IsValid<T>(ref At(position)) || Fail(position, WireRule.ValueOf<T>());

    internal bool Padding(int position, ReadOnlySpan<ushort> padding)
    {
        for (var i = 0; i + 1 < padding.Length; i += 2)
        {
            if (!Zeros(position + padding[i], padding[i + 1], WireRule.Padding))
            {
                return false;
            }
        }

        return true;
    }
}
