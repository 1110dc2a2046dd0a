using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages;

/// <summary>
/// What a processor keeps for the next rental on it: one block of each size, and how often one was taken. Two cache lines, so that processors do not disturb each other.
/// <code>
///   0       8       16      24      32       40                     128
/// ┌───────┬───────┬───────┬───────┬────────┬───────────────────────┐
/// │ 1 KB  │ 4 KB  │ 16 KB │ 64 KB │ Rented │ padding               │
/// └───────┴───────┴───────┴───────┴────────┴───────────────────────┘
/// </code>
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = 128)]
internal struct ProcessorSlots
{
    /// <summary>The free block of each size, or null. Taken and put by interlocked operations.</summary>
    [FieldOffset(0)]
    public BlockSlots Blocks;

    /// <summary>Blocks that were taken here.</summary>
    [FieldOffset(32)]
    public long Rented;

    [InlineArray(BufferSizes.BlockClasses)]
    public struct BlockSlots
    {
        private byte[]? _block;
    }
}
