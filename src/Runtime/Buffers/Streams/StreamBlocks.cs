using System.Buffers;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace BufferedMessages;

/// <summary>
/// The blocks of a stream, in order. The one of the last operation is a field: most streams have only this one, and most operations stay in it.
/// The second block adds a pooled table for the others. Every field is cleared for every stream, so there are few.
/// </summary>
internal struct StreamBlocks
{
    private const int LeastTableLength = 16;

    /// <summary>The block of the last operation; empty when there is none.</summary>
    public StreamBlock Current;

    // Its entry for the current block is out of date.
    private StreamBlock[]? _table;

    /// <summary>The number of blocks.</summary>
    public int Count { get; private set; }

    /// <summary>The index of the current block; 0 when there is none.</summary>
    public int CurrentIndex { get; private set; }

    /// <summary>The position after the last block.</summary>
    public readonly long Capacity => Count == 0 ? 0 : this[Count - 1].End;

    /// <summary>A block.</summary>
    [UnscopedRef]
    public readonly ref readonly StreamBlock this[int index] => ref index == CurrentIndex ? ref Current : ref _table![index];

    /// <summary>The last block.</summary>
    [UnscopedRef]
    public ref StreamBlock Last => ref At(Count - 1);

    /// <summary>A block, to change it.</summary>
    [UnscopedRef]
    public ref StreamBlock At(int index) => ref index == CurrentIndex ? ref Current : ref _table![index];

    /// <summary>Finds the block that a position is in.</summary>
    /// <param name="position">Not negative, and below <see cref="Capacity"/>.</param>
    public readonly int IndexOf(long position)
    {
        Debug.Assert(position >= 0 && position <= Capacity, "The position lies in a block, or after the last one.");
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

    /// <summary>Makes a block the current one.</summary>
    public void MoveTo(int index)
    {
        Debug.Assert(index >= 0 && index < Count, "The block exists.");
        if (index != CurrentIndex)
        {
            _table![CurrentIndex] = Current;
            Current = _table[index];
            CurrentIndex = index;
        }
    }

    /// <summary>Appends a block, which begins where the last one ends, and makes it the current one.</summary>
    public void Add(byte[] buffer, int bytes)
    {
        Debug.Assert(bytes > 0, "A block has bytes.");
        var start = Capacity;
        if (Count > 0)
        {
            Keep();
        }

        CurrentIndex = Count++;
        Current.Buffer = buffer;
        Current.Start = start;
        Current.Bytes = bytes;
        Current.Offered = 0;
    }

    /// <summary>Removes the last block. If it was the current one, the one before it becomes current.</summary>
    public StreamBlock RemoveLast()
    {
        Debug.Assert(Count > 0, "There is a block to remove.");
        var removed = Last;
        if (--Count == 0)
        {
            Current = default;
            ReturnTable(1);
            return removed;
        }

        if (CurrentIndex == Count)
        {
            CurrentIndex--;
            Current = _table![CurrentIndex];
        }

        _table![Count] = default;
        return removed;
    }

    /// <summary>Whether there is one block, and no table, because there never were more.</summary>
    public readonly bool IsSingle => Count == 1 && _table is null;

    /// <summary>Forgets the block of a stream that <see cref="IsSingle"/>.</summary>
    public void ForgetSingle()
    {
        Debug.Assert(IsSingle, "There is one block.");
        Current = default;
        Count = 0;
    }

    /// <summary>Forgets all blocks, and returns the table to the pool.</summary>
    public void Clear()
    {
        ReturnTable(Count);
        this = default;
    }

    // Makes room in the table for one more block, and puts the current one there.
    private void Keep()
    {
        if (_table is null || _table.Length == Count)
        {
            Grow();
        }

        _table[CurrentIndex] = Current;
    }

    [MemberNotNull(nameof(_table))]
    private void Grow()
    {
        var larger = ArrayPool<StreamBlock>.Shared.Rent(Math.Max(LeastTableLength, 2 * Count));
        if (_table is { } smaller)
        {
            Array.Copy(smaller, larger, Count);
            Array.Clear(smaller, 0, Count);
            ArrayPool<StreamBlock>.Shared.Return(smaller);
        }

        _table = larger;
    }

    // The pooled table must not keep buffers alive.
    private void ReturnTable(int used)
    {
        if (_table is { } table)
        {
            _table = null;
            Array.Clear(table, 0, used);
            ArrayPool<StreamBlock>.Shared.Return(table);
        }
    }
}
