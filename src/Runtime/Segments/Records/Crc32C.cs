using System.Numerics;
using System.Runtime.InteropServices;

namespace BufferedMessages.Segments;

/// <summary>CRC-32C (Castagnoli) over bytes. A check starts with <see cref="Start"/>, and its result is the complement of the last value.</summary>
internal static class Crc32C
{
    public const uint Start = ~0u;

    /// <summary>Continues a check with more bytes.</summary>
    public static uint Append(uint crc, ReadOnlySpan<byte> bytes)
    {
        foreach (var part in MemoryMarshal.Cast<byte, ulong>(bytes))
        {
            crc = BitOperations.Crc32C(crc, part);
        }

        foreach (var rest in bytes[(bytes.Length & ~7)..])
        {
            crc = BitOperations.Crc32C(crc, rest);
        }

        return crc;
    }
}
