using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>A message type of a schema text, with the places of its members.</summary>
/// <param name="Name">Its full name.</param>
/// <param name="Members">In ordinal order, reserved ones too.</param>
/// <param name="BlockBytes">Size of its block.</param>
internal sealed record SchemaType(string Name, IReadOnlyList<SchemaMember> Members, int BlockBytes)
{
    /// <summary>Places the members of a type.</summary>
    /// <param name="line">The first line of the type.</param>
    /// <param name="name">Its full name.</param>
    /// <param name="members">In ordinal order.</param>
    /// <exception cref="FormatException">They do not fit into the largest block.</exception>
    public static SchemaType Of(SchemaLine line, string name, IEnumerable<(string? Name, SchemaKind Kind)> members)
    {
        var placement = new BlockPlacement();
        var placed = new List<SchemaMember>();
        foreach (var (memberName, kind) in members)
        {
            placed.Add(Place(placement, memberName, kind));
            if (placement.BlockBytes > WireFormat.MaxBlockWords * WireFormat.WordBytes)
            {
                throw line.Wrong($"the members of the type take more than a block's {WireFormat.MaxBlockWords} words");
            }
        }

        return new SchemaType(name, placed, placement.BlockBytes);
    }

    private static SchemaMember Place(BlockPlacement placement, string? name, SchemaKind kind)
    {
        switch (kind)
        {
            case SchemaValue value:
                return new SchemaMember(name, kind, placement.Place(value.Size, value.Alignment), PresenceBit: null);
            case SchemaNullable { Value: var value }:
                var (offset, presenceBit) = placement.PlaceNullable(value.Size, value.Alignment);
                return new SchemaMember(name, kind, offset, presenceBit);
            default:
                return new SchemaMember(name, kind, placement.Place(WireFormat.SlotBytes, WireFormat.SlotBytes), PresenceBit: null);
        }
    }
}
