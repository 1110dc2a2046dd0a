using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>A member of a message type, and its place.</summary>
/// <param name="Name">Its name; null if the ordinal is reserved.</param>
/// <param name="Kind">Its kind.</param>
/// <param name="Offset">Byte offset in the block.</param>
/// <param name="PresenceBit">Number of its presence bit, counted from the block's first bit; null if it needs none.</param>
internal sealed record SchemaMember(string? Name, SchemaKind Kind, int Offset, int? PresenceBit)
{
    /// <summary>Its size in the block, in bytes.</summary>
    public int Size => Kind switch
    {
        SchemaValue value => value.Size,
        SchemaNullable nullable => nullable.Value.Size,
        _ => WireFormat.SlotBytes,
    };
}

/// <summary>A case of a union of a schema text.</summary>
internal sealed record SchemaCase(string Name, SchemaMessage Message);
