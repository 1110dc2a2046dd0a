using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages;

/// <summary>
/// A thread's blocks for its own next rental in a pool: one of each size, and how many it took and put. Only the thread takes, puts and counts, so none of it needs an
/// interlocked operation. Other threads only read, and forget blocks: a block that a trim forgets while the thread takes it is rented as if the trim had come a moment before.
/// </summary>
internal sealed class ThreadBlocks(WeakReference<BlocksOfThreads> pool, Thread thread)
{
    private Slots _slots;
    private Counts _usesWhenLookedAfter;

    /// <summary>The blocks of the same thread in another pool.</summary>
    public ThreadBlocks? Next;

    /// <summary>The pool, which these do not keep from being collected.</summary>
    public WeakReference<BlocksOfThreads> Pool { get; } = pool;

    /// <summary>Whether the thread may still rent.</summary>
    public bool IsOfLiveThread => thread.IsAlive;

    /// <summary>Takes the block of a size, if there is one, and counts it.</summary>
    public byte[]? TryTake(int sizeClass)
    {
        ref var block = ref _slots.Blocks[sizeClass];
        var taken = block;
        if (taken is not null)
        {
            block = null;
            _slots.Taken[sizeClass]++;
        }

        return taken;
    }

    /// <summary>Puts a block and counts it, if there is none of its size.</summary>
    public bool TryPut(int sizeClass, byte[] block)
    {
        ref var place = ref _slots.Blocks[sizeClass];
        if (place is not null)
        {
            return false;
        }

        place = block;
        _slots.Put[sizeClass]++;
        return true;
    }

    /// <summary>Forgets all blocks.</summary>
    public void Drop()
    {
        for (var sizeClass = 0; sizeClass < BufferSizes.BlockClasses; sizeClass++)
        {
            Volatile.Write(ref _slots.Blocks[sizeClass], null);
        }
    }

    /// <summary>Forgets the block of each size of which the thread neither took nor put one since the last call.</summary>
    public void DropUnneeded()
    {
        for (var sizeClass = 0; sizeClass < BufferSizes.BlockClasses; sizeClass++)
        {
            var counts = Read(sizeClass);
            var uses = counts.Taken + counts.Put;
            if (uses == _usesWhenLookedAfter[sizeClass])
            {
                Volatile.Write(ref _slots.Blocks[sizeClass], null);
            }

            _usesWhenLookedAfter[sizeClass] = uses;
        }
    }

    /// <summary>The counts of a size.</summary>
    public ThreadBlockCounts Read(int sizeClass) => new(
        Volatile.Read(ref _slots.Taken[sizeClass]),
        Volatile.Read(ref _slots.Put[sizeClass]),
        Volatile.Read(ref _slots.Blocks[sizeClass]) is null ? 0 : 1);

    /// <summary>
    /// The part that the thread writes. The garbage collector puts the blocks of several threads side by side, so a line of the cache at the end keeps them apart.
    /// <code>
    ///   0      8      16      24      32          64        96         160
    /// ┌──────┬──────┬───────┬───────┬───────────┬─────────┬──────────┐
    /// │ 1 KB │ 4 KB │ 16 KB │ 64 KB │ Taken × 4 │ Put × 4 │ padding  │
    /// └──────┴──────┴───────┴───────┴───────────┴─────────┴──────────┘
    /// </code>
    /// </summary>
    [StructLayout(LayoutKind.Explicit, Size = 160)]
    internal struct Slots
    {
        [FieldOffset(0)]
        public BlockSlots Blocks;

        [FieldOffset(32)]
        public Counts Taken;

        [FieldOffset(64)]
        public Counts Put;
    }

    [InlineArray(BufferSizes.BlockClasses)]
    internal struct BlockSlots
    {
        private byte[]? _block;
    }

    [InlineArray(BufferSizes.BlockClasses)]
    internal struct Counts
    {
        private long _count;
    }
}
