namespace BufferedMessages.Wire;

/// <content>Unions.</content>
public ref partial struct MessageVerifier
{
    /// <summary>Verifies the root block of a message that is a union: it holds nothing but the union's slot, which is not null, as no message is.</summary>
    public bool UnionRoot<TUnion>(BlockReader block)
        where TUnion : IVerifiedUnion, allows ref struct
        => Block(block, WireFormat.SlotBytes)
            && (block.ReadSlot(0) != 0 || Fail(PositionOf(block), WireRule.NullRoot))
            && Union<TUnion>(block, offset: 0);

    /// <summary>Verifies a union.</summary>
    public bool Union<TUnion>(BlockReader container, int offset)
        where TUnion : IVerifiedUnion, allows ref struct
    {
        var slot = container.ReadSlot(offset);
        if (slot == 0)
        {
            return true;
        }

        var position = Follow(container, offset, slot);
        var number = (ushort)(slot >> 16);
        if (number == 0)
        {
            return Fail(_slot, WireRule.Case);
        }

        if (!Enter(position, (ushort)slot, out var block) || !TUnion.Verify(ref this, number, block))
        {
            return false;
        }

        _depth--;
        return true;
    }

    /// <summary>Verifies the message of a union's case.</summary>
    public bool Case<TBlock>(BlockReader block)
        where TBlock : IVerifiedBlock, allows ref struct
        => TBlock.Verify(ref this, block);

    /// <summary>Verifies a case that this program does not know: a newer one wrote it, so that only an exact verification refuses it.</summary>
    public bool UnknownCase() => !_isExact || Fail(_slot, WireRule.UnknownCase);
}
