using System.Buffers.Binary;

namespace BufferedMessages.Queues;

/// <summary>The entries of a record's properties, one after the other. An entry that does not fit into the block ends them.</summary>
internal ref struct PropertyEntries(ReadOnlySpan<byte> entries)
{
    private ReadOnlySpan<byte> _rest = entries;

    /// <summary>The kind of the current entry.</summary>
    public PropertyKind Kind { get; private set; }

    /// <summary>The data of the current entry.</summary>
    public ReadOnlySpan<byte> Data { get; private set; }

    /// <summary>The bytes after the current entry; at the end zeros, unless the block is damaged.</summary>
    public readonly ReadOnlySpan<byte> Remaining => _rest;

    /// <summary>Whether the length of the current entry's data is valid for its kind. An unknown kind may have any length.</summary>
    public readonly bool HasLengthOfKind => Kind switch
    {
        PropertyKind.Time => Data.Length == sizeof(long),
        PropertyKind.Trace => Data.Length >= PropertyBlock.TraceBytes,
        PropertyKind.Source => Data.Length == PropertyBlock.SourceBytes,
        PropertyKind.Attempts => Data.Length == sizeof(uint),
        PropertyKind.Header => Data.Length >= sizeof(ushort) && BinaryPrimitives.ReadUInt16LittleEndian(Data) <= Data.Length - sizeof(ushort),
        _ => true,
    };

    /// <summary>The time among the entries; null if there is none.</summary>
    public DateTimeOffset? Time =>
        Next(PropertyKind.Time, sizeof(long)) && BinaryPrimitives.ReadInt64LittleEndian(Data) is var ticks && ticks >= DateTime.MinValue.Ticks && ticks <= DateTime.MaxValue.Ticks
            ? new DateTimeOffset(ticks, TimeSpan.Zero)
            : null;

    /// <summary>Advances to the next entry; false if there is none.</summary>
    public bool Next()
    {
        if (_rest.Length < PropertyBlock.EntryHeaderBytes)
        {
            return false;
        }

        Kind = (PropertyKind)BinaryPrimitives.ReadUInt16LittleEndian(_rest);
        var bytes = BinaryPrimitives.ReadUInt16LittleEndian(_rest[sizeof(ushort)..]);
        var entryBytes = PropertyBlock.EntryBytes(bytes);
        if (Kind == PropertyKind.None || entryBytes > _rest.Length)
        {
            return false;
        }

        Data = _rest.Slice(PropertyBlock.EntryHeaderBytes, bytes);
        _rest = _rest[entryBytes..];
        return true;
    }

    /// <summary>Advances to the next entry of a kind and a length; false if there is none.</summary>
    public bool Next(PropertyKind kind, int minBytes)
    {
        while (Next())
        {
            if (Kind == kind && Data.Length >= minBytes)
            {
                return true;
            }
        }

        return false;
    }
}
