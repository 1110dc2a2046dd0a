namespace BufferedMessages.Caching;

/// <summary>
/// Memory for entries that are copied when they are read: mapping them would take the place of what is used more. There is room for one at each cell of the lease table, and who has the
/// cell has the room.
/// </summary>
internal sealed unsafe class EntryCopies
{
    /// <summary>The largest entry that is copied.</summary>
    public const int MaxBytes = 4 * 1024;

    // Threads come and go, and their cells keep their rooms.
    private const int MinRooms = 64;

    private readonly nint[] _rooms = new nint[LeaseTable.Cells];
    private readonly int _limit;
    private int _count;

    /// <param name="budgetBytes">The most bytes in all, unless that is less than 256 KB.</param>
    public EntryCopies(long budgetBytes) => _limit = (int)Math.Clamp(budgetBytes / MaxBytes, MinRooms, LeaseTable.Cells);

    /// <summary>Bytes in all.</summary>
    public long Bytes => (long)Math.Min(Volatile.Read(ref _count), _limit) * MaxBytes;

    /// <summary>The room of a cell that the caller has taken, aligned to 16 bytes; null when too many are in use.</summary>
    public byte* RoomOf(int cell)
    {
        if (_rooms[cell] == 0)
        {
            if (Interlocked.Increment(ref _count) > _limit)
            {
                Interlocked.Decrement(ref _count);
                return null;
            }

            _rooms[cell] = (nint)KeptMemory.Take(MaxBytes);
        }

        return (byte*)_rooms[cell];
    }

    /// <summary>Gives the rooms back. Nobody has a cell any more.</summary>
    public void GiveBack()
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
