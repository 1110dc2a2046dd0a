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

    [FieldOffset(0)] public int State;

    /// <summary>The number of files that the slot has had, by which another process sees that it has mapped an old one.</summary>
    [FieldOffset(4)] public int File;

    /// <summary>The sequence number at which the segment was opened. The oldest segment has the smallest.</summary>
    [FieldOffset(8)] public ulong OpenSequence;

    /// <summary>The number of entries that lead to the segment.</summary>
    [FieldOffset(16)] public long Entries;
}
