using System.Diagnostics;

namespace BufferedMessages.Caching;

/// <summary>
/// The facts of an entry that a set needs, so that it does not read the record. Together with the tag of the entry and the number of its bucket, they include all bits of the hash. A set treats two
/// keys with the same 64 bits as one.
/// <code>
/// bits 0-19 bytes of the record in units of 16 · bits 20-35 block of its sequence number, see <see cref="WriteLanes"/> · bits 36-63 of the hash
/// </code>
/// </summary>
/// <param name="Word">The bits. 0 if nothing is known.</param>
internal readonly record struct EntryNote(ulong Word)
{
    private const int BlockShift = 20;
    private const int HashShift = 36;
    private const ulong MaxUnits = (1UL << BlockShift) - 1;
    private const ulong HashMask = ulong.MaxValue << HashShift;

    /// <summary>Gets whether anything is known.</summary>
    public bool IsKnown => Word != 0;

    /// <summary>Gets the bytes of the record.</summary>
    public long RecordBytes => (long)(Word & MaxUnits) << IndexWord.UnitShift;

    /// <summary>Gets the lowest 16 bits of the number of the block.</summary>
    public ushort Block => (ushort)(Word >> BlockShift);

    /// <summary>Creates the note on an entry; the default value if the record is too large for one.</summary>
    public static EntryNote Of(ulong hash, long recordBytes, ulong block)
    {
        Debug.Assert(recordBytes > 0, "A record has a head.");
        var units = (ulong)recordBytes >> IndexWord.UnitShift;
        return units > MaxUnits ? default : new((hash & HashMask) | ((ulong)(ushort)block << BlockShift) | units);
    }

    /// <summary>Determines whether an entry with the tag of a hash is of the same hash.</summary>
    public bool IsOf(ulong hash) => ((Word ^ hash) & HashMask) == 0;
}
