using BufferedMessages.Generator.Model;
using BufferedMessages.Wire;

namespace BufferedMessages.Generator.Layout;

/// <summary>The assignment of places in the block to members.</summary>
internal static class LayoutPlanner
{
    /// <summary>Plans the block of a message.</summary>
    /// <exception cref="InvalidOperationException">The members do not fit into the largest block.</exception>
    public static MessageLayout Plan(IEnumerable<MemberKind> kinds)
    {
        var placement = new BlockPlacement();
        var places = kinds.Select(kind => Place(placement, kind)).ToList();
        var blockBytes = placement.BlockBytes;
        if (blockBytes / WireFormat.WordBytes > WireFormat.MaxBlockWords)
        {
            throw new InvalidOperationException(
                $"its members take {blockBytes} bytes in the block, but a block has at most {WireFormat.MaxBlockWords * WireFormat.WordBytes}; move large structs into lists or nested messages");
        }

        return new MessageLayout(blockBytes, new EquatableArray<MemberPlace>(places));
    }

    private static MemberPlace Place(BlockPlacement placement, MemberKind kind)
    {
        switch (kind.Stored())
        {
            case ValueKind value:
                return new MemberPlace(placement.Place(value.Size, value.Alignment), value.Size, PresenceBit: null);
            case NullableKind { Value: var value }:
                var (offset, presenceBit) = placement.PlaceNullable(value.Size, value.Alignment);
                return new MemberPlace(offset, value.Size, presenceBit);
            default:
                return new MemberPlace(placement.Place(WireFormat.SlotBytes, WireFormat.SlotBytes), WireFormat.SlotBytes, PresenceBit: null);
        }
    }
}
