using System.Runtime.InteropServices;

namespace BufferedMessages.Caching;

/// <summary>What the control file knows of a segment's slot.</summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes)]
internal struct SlotState
{
    public const int Bytes = 32;

    /// <summary>There is no file.</summary>
    public const int Absent = 0;

    /// <summary>There is a file, and the index has nothing in it.</summary>
    public const int Free = 1;

    /// <summary>Records were written to it.</summary>
    public const int Open = 2;

    [FieldOffset(0)] public int State;

    /// <summary>Counts the files that this slot had: another process sees that its mapping is of an old one.</summary>
    [FieldOffset(4)] public int File;

    /// <summary>The sequence number at which it was opened: the oldest segment is the one with the smallest.</summary>
    [FieldOffset(8)] public ulong OpenSequence;

    /// <summary>Entries of the index that are in it.</summary>
    [FieldOffset(16)] public long Entries;
}
