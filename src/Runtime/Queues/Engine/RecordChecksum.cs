using System.Numerics;
using System.Runtime.InteropServices;

namespace BufferedMessages.Queues;

/// <summary>CRC-32C (Castagnoli) over a record's position, its payload's size, and its payload.</summary>
internal static class RecordChecksum
{
    public static uint Of(long position, ReadOnlySpan<byte> payload)
    {
        var crc = BitOperations.Crc32C(~0u, (ulong)position);
        crc = BitOperations.Crc32C(crc, (uint)payload.Length);
        foreach (var word in MemoryMarshal.Cast<byte, ulong>(payload))
        {
            crc = BitOperations.Crc32C(crc, word);
        }

        foreach (var rest in payload[(payload.Length & ~7)..])
        {
            crc = BitOperations.Crc32C(crc, rest);
        }

        return ~crc;
    }
}
