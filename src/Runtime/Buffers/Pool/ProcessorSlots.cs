using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages;

/// <summary>
/// A processor's buffers for the next rental on it: one block of each size, and the count of taken blocks. Two cache lines, so processors do not share any.
/// <code>
///   0       8       16      24      32       40     44             128
/// ┌───────┬───────┬───────┬───────┬────────┬──────┬───────────────┐
/// │ 1 KB  │ 4 KB  │ 16 KB │ 64 KB │ Rented │ lock │ padding       │
/// └───────┴───────┴───────┴───────┴────────┴──────┴───────────────┘
/// </code>
/// The lock is taken by an exchange and given back by a plain store, so that taking a block and counting it cost one interlocked operation. Only a trim waits for it:
/// it is held for a few instructions, and a rental that finds it held, because its holder was interrupted there, goes to the shared stack.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = 128)]
internal struct ProcessorSlots
{
    [FieldOffset(0)]
    private BlockSlots _blocks;

    [FieldOffset(32)]
    private long _rented;

    [FieldOffset(40)]
    private int _isHeld;

    /// <summary>The number of blocks that were taken here.</summary>
    public readonly long Rented => Volatile.Read(in _rented);

    /// <summary>Takes the block of a size, if there is one, and counts it.</summary>
    public byte[]? TryTake(int sizeClass)
    {
        Debug.Assert(sizeClass >= 0 && sizeClass < BufferSizes.BlockClasses, "Slots hold blocks alone.");
        if (Interlocked.Exchange(ref _isHeld, 1) != 0)
        {
            return null;
        }

        var block = _blocks[sizeClass];
        if (block is not null)
        {
            _blocks[sizeClass] = null;
            _rented++;
        }

        Volatile.Write(ref _isHeld, 0);
        return block;
    }

    /// <summary>Puts a block, if there is none of its size.</summary>
    public bool TryPut(int sizeClass, byte[] block)
    {
        Debug.Assert(sizeClass >= 0 && sizeClass < BufferSizes.BlockClasses, "Slots hold blocks alone.");
        if (Interlocked.Exchange(ref _isHeld, 1) != 0)
        {
            return false;
        }

        var isFree = _blocks[sizeClass] is null;
        if (isFree)
        {
            _blocks[sizeClass] = block;
        }

        Volatile.Write(ref _isHeld, 0);
        return isFree;
    }

    /// <summary>Takes the block of a size away without counting a rental.</summary>
    /// <returns>Whether there was one.</returns>
    public bool Drop(int sizeClass)
    {
        Debug.Assert(sizeClass >= 0 && sizeClass < BufferSizes.BlockClasses, "Slots hold blocks alone.");
        var spin = default(SpinWait);
        while (Interlocked.Exchange(ref _isHeld, 1) != 0)
        {
            spin.SpinOnce();
        }

        var wasThere = _blocks[sizeClass] is not null;
        _blocks[sizeClass] = null;
        Volatile.Write(ref _isHeld, 0);
        return wasThere;
    }

    /// <summary>Whether there is a block of a size.</summary>
    public readonly bool Has(int sizeClass) => Volatile.Read(in _blocks[sizeClass]) is not null;

    [InlineArray(BufferSizes.BlockClasses)]
    private struct BlockSlots
    {
        private byte[]? _block;
    }
}
