using System.Diagnostics;

namespace BufferedMessages.Caching;

/// <summary>
/// The marks at the end of a segment: a bit for each 32 bytes, which is less than the shortest record. The bit of a record's first byte says that the record is dead: no entry leads to it, so
/// it does not count when the index is rebuilt. Marks are beside the records because a page of a record that is replaced would be written to the disk again for one bit.
/// </summary>
internal static class DeadMarks
{
    private const int UnitShift = 5;
    private const int BitShift = 3;
    private const int WordShift = 6;

    /// <summary>Gets the offset of the marks, where records end.</summary>
    public static long StartOf(long segmentBytes) => segmentBytes - (segmentBytes >> (UnitShift + BitShift));

    /// <summary>Gets the offset of the word that has the mark of a record.</summary>
    public static long OffsetOf(long segmentBytes, long offset) => StartOf(segmentBytes) + (offset >> (UnitShift + WordShift) << (WordShift - BitShift));

    /// <summary>Determines whether the record at an offset is dead.</summary>
    // SAFETY: the offset is below the segment's bytes, so its bit is inside the marks, which end with the segment. The caller keeps the segment mapped.
    public static unsafe bool IsSet(byte* segment, long segmentBytes, long offset) => (Volatile.Read(ref WordOf(segment, segmentBytes, offset)) & BitOf(offset)) != 0;

    /// <summary>Marks a record as dead. Other threads may mark others.</summary>
    // SAFETY: as IsSet.
    public static unsafe void Set(byte* segment, long segmentBytes, long offset) => Interlocked.Or(ref WordOf(segment, segmentBytes, offset), BitOf(offset));

    /// <summary>Clears the mark of a record.</summary>
    // SAFETY: as IsSet.
    public static unsafe void Unset(byte* segment, long segmentBytes, long offset) => Interlocked.And(ref WordOf(segment, segmentBytes, offset), ~BitOf(offset));

    /// <summary>Clears the marks of all records from an offset on. No thread marks a record of the segment.</summary>
    // SAFETY: as IsSet; the marks after the word of the offset end with the segment.
    public static unsafe void Clear(byte* segment, long segmentBytes, long offset)
    {
        WordOf(segment, segmentBytes, offset) &= BitOf(offset) - 1;
        var start = OffsetOf(segmentBytes, offset) + sizeof(ulong);
        new Span<byte>(segment + start, (int)(segmentBytes - start)).Clear();
    }

    // SAFETY: as IsSet. Segments are a multiple of 64 KB, so the words are aligned.
    private static unsafe ref ulong WordOf(byte* segment, long segmentBytes, long offset)
    {
        Debug.Assert((ulong)offset < (ulong)segmentBytes, "The mark would be outside the segment.");
        return ref *(ulong*)(segment + OffsetOf(segmentBytes, offset));
    }

    private static ulong BitOf(long offset) => 1UL << (int)(offset >> UnitShift);
}
