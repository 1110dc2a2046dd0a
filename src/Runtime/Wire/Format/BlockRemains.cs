using System.Diagnostics;

namespace BufferedMessages.Wire;

/// <summary>A part of a block that no member owns: bytes, or bits of a presence byte. The generator compiles this file too.</summary>
/// <param name="Offset">Byte offset in the block.</param>
/// <param name="Bytes">Number of bytes.</param>
/// <param name="Mask">The bits of the one byte that no member owns; null if whole bytes are meant.</param>
internal sealed record BlockRemains(int Offset, int Bytes, int? Mask)
{
    private const int BitsPerByte = 8;
    private const byte Full = byte.MaxValue;

    /// <summary>All parts that the members leave of a block, in ascending offset.</summary>
    /// <param name="blockBytes">Size of the block.</param>
    /// <param name="members">Offset, size and presence bit of each member.</param>
    public static IReadOnlyList<BlockRemains> Of(int blockBytes, IEnumerable<(int Offset, int Size, int? PresenceBit)> members)
    {
        Debug.Assert(blockBytes > 0 && blockBytes % WireFormat.WordBytes == 0, "A block consists of words.");
        var owned = new byte[blockBytes];
        foreach (var (memberOffset, size, presenceBit) in members)
        {
            for (var i = 0; i < size; i++)
            {
                owned[memberOffset + i] = Full;
            }

            if (presenceBit is { } bit)
            {
                owned[bit / BitsPerByte] |= (byte)(1 << (bit % BitsPerByte));
            }
        }

        var remains = new List<BlockRemains>();
        for (var offset = 0; offset < blockBytes; offset++)
        {
            if (owned[offset] == 0)
            {
                var start = offset;
                while (offset + 1 < blockBytes && owned[offset + 1] == 0)
                {
                    offset++;
                }

                remains.Add(new BlockRemains(start, offset - start + 1, Mask: null));
            }
            else if (owned[offset] != Full)
            {
                remains.Add(new BlockRemains(offset, 1, Full & ~owned[offset]));
            }
        }

        return remains;
    }
}
