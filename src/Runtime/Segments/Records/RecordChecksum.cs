using System.Diagnostics;
using System.Numerics;

namespace BufferedMessages.Segments;

/// <summary>
/// CRC-32C (Castagnoli) over a record's position, its state word, its payload's size, and its payload: every meaningful
/// bit. Padding has one too, over an empty payload, so that a damaged record is not stepped over as padding. Only padding that fills the rest of
/// a segment has none: it must reach to the segment's end instead.
/// </summary>
internal static class RecordChecksum
{
    private const int Shift = 32;

    public static uint Of(long position, ulong word, ReadOnlySpan<byte> payload)
    {
        var crc = BitOperations.Crc32C(Crc32C.Start, (ulong)position);
        crc = BitOperations.Crc32C(crc, word);
        crc = BitOperations.Crc32C(crc, (uint)payload.Length);
        return ~Crc32C.Append(crc, payload);
    }

    /// <summary>Completes the header of padding, before its state word is stored.</summary>
    // SAFETY: The caller got the record from a mapped segment; its header lies in the same 16 bytes.
    public static unsafe void SealPadding(byte* record, long position, ulong word) =>
        *(ulong*)(record + RecordWord.PayloadBytesOffset) = OfPadding(position, word);

    /// <summary>The second word of the header of padding.</summary>
    public static ulong OfPadding(long position, ulong word) => (ulong)Of(position, word, []) << Shift;

    /// <summary>Whether a record, committed or padding and of a valid length, is as it was written.</summary>
    /// <param name="record">Its first byte.</param>
    /// <param name="position">Its position.</param>
    /// <param name="word">Its state word, as the caller has checked it.</param>
    /// <param name="header">The second word of its header: the bytes of the payload, and the checksum. Another process may change it, so it is read once.</param>
    /// <param name="remaining">Bytes from the record to the end of its segment.</param>
    // SAFETY: The caller got the record from a mapped segment; the length is checked against the state word's before the payload is read.
    public static unsafe bool IsWhole(byte* record, long position, ulong word, ulong header, long remaining)
    {
        Debug.Assert(remaining >= 0, "The record begins within its segment.");
        var isPadding = RecordWord.State(word) == RecordWord.Padding;
        if (isPadding && header == 0 && RecordWord.Bytes(word) == remaining)
        {
            return true;
        }

        // A checksum may also be 0.
        var payloadBytes = (uint)header;
        return payloadBytes <= (isPadding ? 0 : RecordWord.Bytes(word) - RecordWord.HeaderBytes)
            && Of(position, word, new ReadOnlySpan<byte>(record + RecordWord.HeaderBytes, (int)payloadBytes)) == (uint)(header >> Shift);
    }
}
