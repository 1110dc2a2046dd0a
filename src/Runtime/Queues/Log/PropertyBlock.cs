using System.Buffers.Binary;
using System.Numerics;
using BufferedMessages.Segments;
using BufferedMessages.Wire;

namespace BufferedMessages.Queues;

/// <summary>
/// The block of properties at the end of a record.
/// <code>
/// entries   u16 kind, u16 bytes of the data, the data, zeros up to a multiple of 4; ascending kinds; kind 0 ends them
/// last 8    u32 bytes of the block, a multiple of 8, and u32 CRC-32C over the record's position and the block up to the check
/// </code>
/// </summary>
internal static class PropertyBlock
{
    public const int EntryHeaderBytes = 4;
    public const int FooterBytes = 8;
    public const int MaxDataBytes = 65_000;

    /// <summary>The trace parent: trace id, span id, flags. The trace state follows it.</summary>
    public const int TraceBytes = 25;

    public const int SpanOffset = 16;
    public const int TraceFlagsOffset = 24;

    /// <summary>The source: the queue's id, epoch, position.</summary>
    public const int SourceBytes = 32;

    public const int SourceEpochOffset = 16;
    public const int SourcePositionOffset = 24;
    private const int BlockAlignment = 8;
    private const int CheckBytes = 4;

    /// <summary>Bytes of the block with entries of this many bytes.</summary>
    public static int BlockBytes(int entryBytes) => WireFormat.Align(entryBytes, BlockAlignment) + FooterBytes;

    /// <summary>Bytes of an entry.</summary>
    public static int EntryBytes(int dataBytes) => EntryHeaderBytes + WireFormat.Align(dataBytes, EntryHeaderBytes);

    /// <summary>Completes a block whose entries are written, and followed by zeros.</summary>
    public static void Seal(Span<byte> block, long position)
    {
        BinaryPrimitives.WriteInt32LittleEndian(block[^FooterBytes..], block.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(block[^CheckBytes..], CheckOf(block, position));
    }

    /// <summary>Finds the entries of a record's block. The bytes may be anything.</summary>
    /// <param name="rest">The bytes of the record after its payload.</param>
    /// <param name="position">The record's position.</param>
    /// <param name="entries">The entries.</param>
    /// <returns>False if the block is damaged.</returns>
    public static bool TryFind(ReadOnlySpan<byte> rest, long position, out ReadOnlySpan<byte> entries)
    {
        entries = default;
        if (rest.Length < FooterBytes)
        {
            return false;
        }

        var bytes = BinaryPrimitives.ReadUInt32LittleEndian(rest[^FooterBytes..]);
        if (bytes % BlockAlignment != 0 || bytes < FooterBytes || bytes > rest.Length)
        {
            return false;
        }

        var block = rest[^(int)bytes..];
        entries = block[..^FooterBytes];
        return BinaryPrimitives.ReadUInt32LittleEndian(block[^CheckBytes..]) == CheckOf(block, position);
    }

    /// <summary>Whether a record whose payload is whole has either no properties, or a block that is whole.</summary>
    /// <param name="word">The state word.</param>
    /// <param name="rest">The bytes of the record after its payload.</param>
    /// <param name="position">The record's position.</param>
    public static bool IsWhole(ulong word, ReadOnlySpan<byte> rest, long position) => (word & RecordWord.HasProperties) == 0 || TryFind(rest, position, out _);

    private static uint CheckOf(ReadOnlySpan<byte> block, long position) =>
        ~Crc32C.Append(BitOperations.Crc32C(Crc32C.Start, (ulong)position), block[..^CheckBytes]);
}
