using System.Buffers.Binary;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>The damage that messages get: a few changed bytes, and now and then a cut.</summary>
internal static class DamagedBytes
{
    public static byte[] Of(byte[] message, Random random)
    {
        var length = random.Next(8) == 0 ? random.Next(message.Length) : message.Length;
        var damaged = message[..length];
        for (var changes = length == 0 ? 0 : random.Next(1, 4); changes > 0; changes--)
        {
            var first = random.Next(16) == 0 ? 0 : Math.Min(sizeof(ulong), length - 1);
            ref var changed = ref damaged[random.Next(first, length)];
            changed = random.Next(4) switch
            {
                0 => 0,
                1 => (byte)(changed ^ (1 << random.Next(8))),
                2 => (byte)(changed + random.Next(-9, 10)),
                _ => (byte)random.Next(256),
            };
        }

        // A header that fits the length lets the readers see the rest.
        if (length >= sizeof(ulong) && random.Next(2) == 0)
        {
            BinaryPrimitives.WriteInt32LittleEndian(damaged.AsSpan(sizeof(int)), length & ~7);
        }

        return damaged;
    }
}
