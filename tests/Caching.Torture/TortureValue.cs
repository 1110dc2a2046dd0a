using System.Runtime.InteropServices;

namespace BufferedMessages.Caching.Torture;

/// <summary>A value whose bytes are all determined by its key, version and length.</summary>
internal static class TortureValue
{
    public const int MaxBytes = 40_000;

    private const int HeaderBytes = 16;

    /// <summary>Writes a value, and returns its bytes.</summary>
    public static ReadOnlySpan<byte> Write(Span<byte> buffer, int key, uint version)
    {
        var random = Mix(((ulong)version << 32) | (uint)key);

        // Most are small; one of 64 is large, and spans many pages.
        var length = HeaderBytes + (int)(random % 64 == 0 ? (random >> 8) % (MaxBytes - HeaderBytes) : (random >> 8) % 1_000);
        var value = buffer[..length];
        MemoryMarshal.Write(value, ((ulong)version << 32) | (uint)key);
        MemoryMarshal.Write(value[8..], (ulong)length);
        Fill(value[HeaderBytes..], random);
        return value;
    }

    /// <summary>Compares every byte.</summary>
    public static bool IsWhole(ReadOnlySpan<byte> value, int key, out uint version)
    {
        version = 0;
        if (value.Length < HeaderBytes)
        {
            return false;
        }

        var head = MemoryMarshal.Read<ulong>(value);
        version = (uint)(head >> 32);
        Span<byte> expected = stackalloc byte[256];
        if ((uint)head != (uint)key || MemoryMarshal.Read<ulong>(value[8..]) != (ulong)value.Length)
        {
            return false;
        }

        var rest = value[HeaderBytes..];
        var random = Mix(head);
        while (rest.Length > 0)
        {
            var part = expected[..Math.Min(rest.Length, expected.Length)];
            random = Fill(part, random);
            if (!rest[..part.Length].SequenceEqual(part))
            {
                return false;
            }

            rest = rest[part.Length..];
        }

        return true;
    }

    private static ulong Fill(Span<byte> bytes, ulong random)
    {
        while (bytes.Length >= sizeof(ulong))
        {
            random = (random * 6364136223846793005) + 1442695040888963407;
            MemoryMarshal.Write(bytes, random);
            bytes = bytes[sizeof(ulong)..];
        }

        for (var i = 0; i < bytes.Length; i++)
        {
            bytes[i] = (byte)(random >> (i * 8));
        }

        return random;
    }

    private static ulong Mix(ulong value)
    {
        value = (value ^ (value >> 33)) * 0xFF51AFD7ED558CCD;
        value = (value ^ (value >> 33)) * 0xC4CEB9FE1A85EC53;
        return value ^ (value >> 33);
    }
}
