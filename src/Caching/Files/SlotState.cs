using System.Runtime.InteropServices;

namespace BufferedMessages.Caching;

/// <summary>The state of a segment's slot in the control file.</summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes)]
internal struct SlotState
{
    public const int Bytes = 32;

    /// <summary>The slot has no file.</summary>
    public const int Absent = 0;

    /// <summary>The slot has a file, and no entry leads there.</summary>
    public const int Free = 1;

    /// <summary>The file has records.</summary>
    public const int Open = 2;

    /// <summary>A flag: the segment has entries that were copied from others.</summary>
    public const uint Carried = 1;

    /// <summary>A flag: records of the segment may have an expiry.</summary>
    public const uint Expiring = 2;

    [FieldOffset(0)] public int State;

    /// <summary>The number of files that the slot has had, by which another process sees that it has mapped an old one.</summary>
    [FieldOffset(4)] public int File;

    /// <summary>The sequence number at which the segment was opened. The oldest segment has the smallest.</summary>
    [FieldOffset(8)] public ulong OpenSequence;

    /// <summary>A part of the counts of the segment. See <see cref="CacheControl.ReadCounts"/>.</summary>
    [FieldOffset(16)] public long Counts;

    /// <summary>The units before the end of the last record, noted once the segment was full and no thread wrote to it; otherwise 0.</summary>
    [FieldOffset(24)] public uint EndUnits;

    /// <summary>See <see cref="Carried"/> and <see cref="Expiring"/>.</summary>
    [FieldOffset(28)] public uint Flags;

    /// <summary>Gets the number of entries that lead to a segment with these counts.</summary>
    public static int EntriesOf(long counts) => (int)counts;

    /// <summary>Gets the bytes of the records to which entries lead in a segment with these counts.</summary>
    public static long LiveBytesOf(long counts) => (counts >> 32) << IndexWord.UnitShift;

    /// <summary>Gets the average bytes of those records; 0 without entries. Damaged counts may give any number.</summary>
    public static long AverageBytesOf(long counts) => EntriesOf(counts) > 0 ? LiveBytesOf(counts) / EntriesOf(counts) : 0;

    /// <summary>Gets the number that one entry adds to the counts of its segment.</summary>
    public static long CountOf(long recordBytes) => (recordBytes >> IndexWord.UnitShift << 32) + 1;
}
