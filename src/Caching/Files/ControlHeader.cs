using System.Numerics;
using System.Runtime.InteropServices;

namespace BufferedMessages.Caching;

/// <summary>The first page of the control file.</summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes)]
internal struct ControlHeader
{
    public const int Bytes = 4096;
    public const ulong FileMagic = 0x31484341_43534D42; // "BMSCACH1"
    public const int FileVersion = 1;
    public const int NoSlot = -1;

    /// <summary>The failure of a full disk.</summary>
    public const int NoRoom = 28;

    /// <summary>Larger numbers are noise.</summary>
    public const ulong MaxSequence = 1UL << 62;
    public const long MaxGeneration = 1L << 62;

    // Written once.
    [FieldOffset(0)] public ulong Magic;
    [FieldOffset(8)] public int Version;
    [FieldOffset(12)] public int KeyKind;
    [FieldOffset(16)] public long SegmentBytes;
    [FieldOffset(24)] public int Slots;
    [FieldOffset(28)] public uint GeometryCheck;
    [FieldOffset(32)] public uint RequiredFeatures;
    [FieldOffset(36)] public uint OptionalFeatures;

    // Written when a process opens the cache for writing.
    [FieldOffset(64)] public Guid Boot;
    [FieldOffset(80)] public long WriterStart;
    [FieldOffset(88)] public int WriterProcess;

    /// <summary>
    /// Of a shared cache: the <see cref="Exception.HResult"/> of the failure for which its owner has no queue for the changes of other processes, <see cref="NoRoom"/> for any full disk; 0 when it has one.
    /// </summary>
    [FieldOffset(92)] public int QueueFailure;

    /// <summary>The number of the index file.</summary>
    [FieldOffset(128)] public long IndexGeneration;

    /// <summary>Records up to this sequence number were cleared.</summary>
    [FieldOffset(136)] public ulong ClearedSequence;

    /// <summary>The slot of the segment for new entries, and of the one for carried entries.</summary>
    [FieldOffset(144)] public int ActiveSlot;
    [FieldOffset(148)] public int CarrySlot;

    /// <summary>The last sequence number. Alone in its line of the processor's cache, because every set increments it.</summary>
    [FieldOffset(192)] public ulong Sequence;

    public readonly uint CheckGeometry() => BitOperations.Crc32C(
        BitOperations.Crc32C(BitOperations.Crc32C(~0u, Magic), ((ulong)(uint)Version << 32) | (uint)KeyKind),
        (ulong)SegmentBytes ^ ((ulong)(uint)Slots << 40));
}
