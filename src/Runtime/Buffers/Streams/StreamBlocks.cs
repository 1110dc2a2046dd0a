using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BufferedMessages;

/// <summary>
/// The blocks of a stream, one behind the other. The first is a field, since most streams have no other; the tables of the others are pooled. More fields would make every stream dearer:
/// to clear a field takes longer than most streams need one.
/// </summary>
internal struct StreamBlocks
{
    private const int InlineCount = 1;

    private InlineBlocks _inline;
    private StreamBlock[]? _table;

    /// <summary>The number of blocks.</summary>
    public int Count { get; private set; }

    /// <summary>The position behind the last block.</summary>
    public readonly long Capacity => Count == 0 ? 0 : this[Count - 1].End;

    /// <summary>A block.</summary>
    [UnscopedRef]
    public readonly ref readonly StreamBlock this[int index] =>
        ref _table is null ? ref ((ReadOnlySpan<StreamBlock>)_inline)[index] : ref _table[index];

    /// <summary>The last block.</summary>
    [UnscopedRef]
    public ref StreamBlock Last => ref At(Count - 1);

    /// <summary>A block, to change it.</summary>
    [UnscopedRef]
    public ref StreamBlock At(int index) => ref _table is null ? ref ((Span<StreamBlock>)_inline)[index] : ref _table[index];

    /// <summary>Finds the block that a position is in.</summary>
    /// <param name="position">Not negative, and below <see cref="Capacity"/>.</param>
    public readonly int IndexOf(long position)
    {
        var (low, high) = (0, Count - 1);
        while (low < high)
        {
            var middle = (low + high + 1) >>> 1;
            if (this[middle].Start <= position)
            {
                low = middle;
            }
            else
            {
                high = middle - 1;
            }
        }

        return low;
    }

    /// <summary>Appends a block, which begins where the last one ends.</summary>
    public void Add(byte[] buffer, int bytes)
    {
        var block = new StreamBlock { Buffer = buffer, Start = Capacity, Bytes = bytes };
        if (Count == (_table?.Length ?? InlineCount))
        {
            Grow();
        }

        At(Count) = block;
        Count++;
    }

    /// <summary>Takes the last block away.</summary>
    public StreamBlock RemoveLast()
    {
        ref var last = ref Last;
        var removed = last;
        last = default;
        if (--Count == 0)
        {
            ReturnTable();
        }

        return removed;
    }

    private void Grow()
    {
        var larger = ArrayPool<StreamBlock>.Shared.Rent(Math.Max(16, 2 * Count));
        for (var i = 0; i < Count; i++)
        {
            larger[i] = this[i];
        }

        ReturnTable();
        _inline = default;
        _table = larger;
    }

    private void ReturnTable()
    {
        if (_table is { } table)
        {
            _table = null;
            Array.Clear(table, 0, Count);
            ArrayPool<StreamBlock>.Shared.Return(table);
        }
    }

    [InlineArray(InlineCount)]
    private struct InlineBlocks
    {
        private StreamBlock _block;
    }
}
