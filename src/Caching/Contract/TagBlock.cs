using System.Collections.Immutable;
using System.Runtime.InteropServices;
using System.Text;
using BufferedMessages.Wire;

namespace BufferedMessages.Caching;

/// <summary>
/// The tags of an entry, as bytes after its value.
/// <code>
/// 0 u64 number of the clock of tags when the entry was set, 0 until then
/// 8 u16 group of each tag
/// </code>
/// </summary>
internal static class TagBlock
{
    public const int MaxTags = 32;

    /// <summary>The bytes before the groups.</summary>
    public const int HeadBytes = sizeof(ulong);

    /// <summary>The bytes with the most tags.</summary>
    public const int MaxBytes = HeadBytes + (MaxTags * sizeof(ushort));

    /// <summary>The number of a value whose creation began when there was no clock of tags yet. The clock begins above it.</summary>
    public const ulong BornBeforeClock = 1;

    private const int GroupShift = 48;

    /// <summary>Gets the group of a tag.</summary>
    public static ushort GroupOf(string tag) => (ushort)(XxHash64.Hash(Encoding.UTF8.GetBytes(tag)) >> GroupShift);

    /// <summary>Makes the bytes of tags.</summary>
    public static byte[] Of(ImmutableArray<string> tags, ulong born)
    {
        var block = new byte[HeadBytes + (tags.Length * sizeof(ushort))];
        MemoryMarshal.Write(block, in born);
        for (var i = 0; i < tags.Length; i++)
        {
            var group = GroupOf(tags[i]);
            MemoryMarshal.Write(block.AsSpan(HeadBytes + (i * sizeof(ushort))), in group);
        }

        return block;
    }

    /// <summary>Determines whether a block can have a number of bytes.</summary>
    public static bool IsPossible(long bytes) => bytes is > HeadBytes and <= MaxBytes && bytes % sizeof(ushort) == 0;

    public static ulong Born(ReadOnlySpan<byte> block) => MemoryMarshal.Read<ulong>(block);

    public static ReadOnlySpan<ushort> Groups(ReadOnlySpan<byte> block) => MemoryMarshal.Cast<byte, ushort>(block[HeadBytes..]);
}
