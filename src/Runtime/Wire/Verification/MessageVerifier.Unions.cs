namespace BufferedMessages.Wire;

/// <content>Unions.</content>
public ref partial struct MessageVerifier
{
    /// <summary>Verifies the root block of a message that is a union: it holds only the union's slot, which is not null, as no message is.</summary>
    public bool UnionRoot<TUnion>(BlockReader block)
        where TUnion : IVerifiedUnion, allows ref struct
        => RootSlot(block) && Union<TUnion>(block, offset: 0);

    /// <summary>Verifies the slot of a message that is a union, without its payload.</summary>
    internal bool RootSlot(BlockReader block) =>
        Block(block, WireFormat.SlotBytes) && (block.ReadSlot(0) != 0 || Fail(PositionOf(block), WireRule.NullRoot));

    /// <summary>Verifies a union.</summary>
    public bool Union<TUnion>(BlockReader container, int offset)
        where TUnion : IVerifiedUnion, allows ref struct
        => Case(container, offset, out var number, out var block) && (number == 0 || (TUnion.Verify(ref this, number, block) && Leave()));

    /// <summary>Steps past the block of a union's case, and one deeper: <see cref="Leave"/> ends that.</summary>
    /// <param name="container">The block or slot array with the union's slot.</param>
    /// <param name="offset">Offset of the slot.</param>
    /// <param name="number">The number of the case; 0 if the union is null, which is not deeper.</param>
    /// <param name="block">The block of the case.</param>
    internal bool Case(BlockReader container, int offset, out ushort number, out BlockReader block)
    {
        var slot = container.ReadSlot(offset);
        number = (ushort)(slot >> 16);
        block = default;
        if (slot == 0)
        {
            return true;
        }

        var position = Follow(container, offset, slot);
        return number == 0 ? Fail(_slot, WireRule.Case) : Enter(position, (ushort)slot, out block);
    }

    /// <summary>Verifies the message of a union's case.</summary>
    public bool Case<TBlock>(BlockReader block)
        where TBlock : IVerifiedBlock, allows ref struct
        => TBlock.Verify(ref this, block);

    /// <summary>Verifies a case that this program does not know: a newer one wrote it, so that only an exact verification refuses it.</summary>
    public bool UnknownCase() => !_isExact || Fail(_slot, WireRule.UnknownCase);
}
