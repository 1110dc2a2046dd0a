using System.Runtime.CompilerServices;

namespace BufferedMessages.Segments;

/// <summary>
/// The header of a record, and its state word: the only word of a record with atomic meaning.
/// <code>
///  0  u64 state word    bits 0-2 state · bits 3-15 owner slot · bits 16-23 optional features · bits 24-31 required features
///                       bits 32-63 record bytes, header included
///  8  u32 payload bytes
/// 12  u32 checksum, 0 if the file has none
/// 16  payload
/// </code>
/// Records are 16-aligned, are multiples of 16 bytes, and never cross the end of a segment.
/// </summary>
internal static class RecordWord
{
    /// <summary>Bytes before the payload.</summary>
    public const int HeaderBytes = 16;

    /// <summary>Records start at, and are, multiples of this.</summary>
    public const int Alignment = 1 << AlignmentBits;

    /// <summary>The alignment's logarithm.</summary>
    public const int AlignmentBits = 4;

    /// <summary>The offset of the payload's size in the header; the checksum is the other half of the same word.</summary>
    public const int PayloadBytesOffset = 8;

    /// <summary>No record yet. Reused segments have other free words.</summary>
    public const ulong Free = 0;

    /// <summary>Claimed by its owner, which writes the payload.</summary>
    public const ulong Reserved = 1;

    /// <summary>Holds a message.</summary>
    public const ulong Committed = 2;

    /// <summary>Holds nothing; readers step over it.</summary>
    public const ulong Padding = 3;

    /// <summary>An optional feature: properties lie at the end of the record.</summary>
    public const ulong HasProperties = 1 << 16;

    /// <summary>An optional feature: the record and the next one belong to one batch. A repair after a crash of the machine keeps both or neither.</summary>
    public const ulong IsContinued = 1 << 17;

    private const ulong StateMask = 7;

    // This version knows no required feature.
    private const ulong UnknownFeatures = 0xFF000000;
    private const ulong OwnerMask = 0x1FFF;
    private const int OwnerShift = 3;
    private const int BytesShift = 32;

    /// <summary>Rounds bytes of records up to where the next record begins.</summary>
    public static long Align(long bytes) => (bytes + Alignment - 1) & -Alignment;

    /// <summary>Bytes of the record that holds a payload of this many bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint RecordBytes(int payloadBytes) => ((uint)payloadBytes + HeaderBytes + Alignment - 1) & ~(uint)(Alignment - 1);

    /// <summary>Bytes of the record that holds also a block of properties, whose size is a multiple of 8.</summary>
    public static uint RecordBytes(int payloadBytes, int propertyBytes) => RecordBytes(((payloadBytes + 7) & ~7) + propertyBytes);

    /// <summary>Whether the record holds a message that this version can read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsReadable(ulong word) => ((uint)word & (uint)(StateMask | UnknownFeatures)) == Committed;

    /// <summary>Whether the record holds a message, and the next one is of the same batch.</summary>
    public static bool IsContinuedMessage(ulong word) => (word & (StateMask | IsContinued)) == (Committed | IsContinued);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Compose(ulong state, int owner, uint bytes) => state | ((ulong)(uint)owner << OwnerShift) | ((ulong)bytes << BytesShift);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong State(ulong word) => word & StateMask;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Bytes(ulong word) => (uint)(word >> BytesShift);

    /// <summary>The participant that wrote the word.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Owner(ulong word) => (int)((word >> OwnerShift) & OwnerMask);

    /// <summary>The same record as padding.</summary>
    public static ulong AsPadding(ulong word) => (word & ~StateMask) | Padding;

    /// <summary>Whether the record's length is possible if <paramref name="remaining"/> bytes are left in the segment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool HasValidLength(ulong word, long remaining)
    {
        var bytes = Bytes(word);
        return (bytes & (Alignment - 1)) == 0 && bytes != 0 && bytes <= remaining;
    }
}
