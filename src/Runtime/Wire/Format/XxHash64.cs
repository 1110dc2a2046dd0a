using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace BufferedMessages.Wire;

/// <summary>
/// XXH64 with seed 0, the 64-bit hash of the xxHash family by Yann Collet
/// (algorithm description: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).
/// Fingerprints of schemas are XXH64 of their text.
/// </summary>
internal static class XxHash64
{
    private const ulong Prime1 = 0x9E3779B185EBCA87;
    private const ulong Prime2 = 0xC2B2AE3D27D4EB4F;
    private const ulong Prime3 = 0x165667B19E3779F9;
    private const ulong Prime4 = 0x85EBCA77C2B2AE63;
    private const ulong Prime5 = 0x27D4EB2F165667C5;

    /// <summary>Hashes the bytes; the result is the same in every process and on every platform.</summary>
    /// <remarks>Eight bytes take a path of their own, without loops: numbers are the usual keys of a cache.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Hash(ReadOnlySpan<byte> bytes) =>
        bytes.Length == 8 ? Avalanche(AddWord(Prime5 + 8, BinaryPrimitives.ReadUInt64LittleEndian(bytes))) : HashAny(bytes);

    private static ulong HashAny(ReadOnlySpan<byte> bytes)
    {
        var rest = bytes;
        var hash = bytes.Length >= 32 ? HashStripes(ref rest) : Prime5;
        hash += (ulong)bytes.Length;

        while (rest.Length >= 8)
        {
            hash = AddWord(hash, BinaryPrimitives.ReadUInt64LittleEndian(rest));
            rest = rest.Slice(8);
        }

        if (rest.Length >= 4)
        {
            hash ^= BinaryPrimitives.ReadUInt32LittleEndian(rest) * Prime1;
            hash = (RotateLeft(hash, 23) * Prime2) + Prime3;
            rest = rest.Slice(4);
        }

        foreach (var value in rest)
        {
            hash ^= value * Prime5;
            hash = RotateLeft(hash, 11) * Prime1;
        }

        return Avalanche(hash);
    }

    private static ulong HashStripes(ref ReadOnlySpan<byte> rest)
    {
        var lane1 = unchecked(Prime1 + Prime2);
        var lane2 = Prime2;
        var lane3 = 0UL;
        var lane4 = unchecked(0UL - Prime1);
        while (rest.Length >= 32)
        {
            lane1 = Round(lane1, BinaryPrimitives.ReadUInt64LittleEndian(rest));
            lane2 = Round(lane2, BinaryPrimitives.ReadUInt64LittleEndian(rest.Slice(8)));
            lane3 = Round(lane3, BinaryPrimitives.ReadUInt64LittleEndian(rest.Slice(16)));
            lane4 = Round(lane4, BinaryPrimitives.ReadUInt64LittleEndian(rest.Slice(24)));
            rest = rest.Slice(32);
        }

        var hash = RotateLeft(lane1, 1) + RotateLeft(lane2, 7) + RotateLeft(lane3, 12) + RotateLeft(lane4, 18);
        hash = Merge(hash, lane1);
        hash = Merge(hash, lane2);
        hash = Merge(hash, lane3);
        return Merge(hash, lane4);
    }

    private static ulong AddWord(ulong hash, ulong word) => (RotateLeft(hash ^ Round(0, word), 27) * Prime1) + Prime4;

    private static ulong Round(ulong lane, ulong input) => RotateLeft(lane + (input * Prime2), 31) * Prime1;

    private static ulong Merge(ulong hash, ulong lane) => ((hash ^ Round(0, lane)) * Prime1) + Prime4;

    private static ulong Avalanche(ulong hash)
    {
        hash = (hash ^ (hash >> 33)) * Prime2;
        hash = (hash ^ (hash >> 29)) * Prime3;
        return hash ^ (hash >> 32);
    }

    // BitOperations does not exist in the generator's framework; compilers turn this form into one instruction.
    private static ulong RotateLeft(ulong value, int bits) => (value << bits) | (value >> (64 - bits));
}
