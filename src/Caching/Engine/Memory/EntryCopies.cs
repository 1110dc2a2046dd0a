using System.Diagnostics;

namespace BufferedMessages.Caching;

/// <summary>
/// Memory for entries that a read copies: those of staged chunks, and those whose chunk it does not map, since mapping would displace entries that are used more. Each cell of the lease table
/// has one room, which belongs to the lease that has taken the cell.
/// </summary>
internal sealed class EntryCopies
{
    /// <summary>The bytes of the largest entry that is copied.</summary>
    public const int MaxBytes = 4 * 1024;

    // Threads come and go, and their cells keep their rooms.
    private const int MinRooms = 64;

    private readonly nint[] _rooms = new nint[LeaseTable.Cells];
    private readonly ResidentMemory _mapped;
    private readonly int _limit;
    private int _count;

    /// <param name="budgetBytes">The most bytes of copies that are not needed, unless that is less than 256 KB.</param>
    /// <param name="mapped">Gives up as many bytes as are used.</param>
    public EntryCopies(long budgetBytes, ResidentMemory mapped)
    {
        _mapped = mapped;
        _limit = (int)Math.Clamp(budgetBytes / MaxBytes, MinRooms, LeaseTable.Cells);
    }

    /// <summary>Gets the room of a cell that the caller has taken, aligned to 16 bytes.</summary>
    /// <param name="cell">The cell.</param>
    /// <param name="isNeeded">Whether the entry cannot be read without a copy. Otherwise the result is null when the budget is used up.</param>
    // SAFETY: KeptMemory keeps the room, which has MaxBytes; the lease keeps other threads out of it.
    public unsafe byte* RoomOf(int cell, bool isNeeded)
    {
        Debug.Assert((uint)cell < LeaseTable.Cells, "The cell is not one of the table.");
        if (_rooms[cell] == 0)
        {
            var count = Interlocked.Increment(ref _count);
            if (count > _limit && !isNeeded)
            {
                Interlocked.Decrement(ref _count);
                return null;
            }

            // For the first of as many rooms as a chunk has.
            if (count % (ResidentMemory.ChunkBytes / MaxBytes) == 1)
            {
                _mapped.GiveUp(ResidentMemory.ChunkBytes);
            }

            _rooms[cell] = (nint)KeptMemory.Take(MaxBytes);
        }

        return (byte*)_rooms[cell];
    }

    /// <summary>Returns the rooms. No cell is taken any more.</summary>
    // SAFETY: each room is as KeptMemory gave it.
    public unsafe void GiveBack()
    {
        foreach (ref var room in _rooms.AsSpan())
        {
            if (room != 0)
            {
                KeptMemory.GiveBack((byte*)room, MaxBytes);
                room = 0;
            }
        }
    }
}
