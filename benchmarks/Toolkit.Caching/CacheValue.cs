using System.Buffers.Binary;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>What is in a value: its key in the first bytes, and a mark in the last.</summary>
internal static class CacheValue
{
    private const byte Mark = 0x5A;

    public static byte[] New(int bytes)
    {
        var value = new byte[bytes];
        value[^1] = Mark;
        return value;
    }

    public static bool IsOf(int key, ReadOnlySpan<byte> value) => BinaryPrimitives.ReadInt64LittleEndian(value) == key && value[^1] == Mark;
}
