using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The leases of one process. A lease is a cell that names a segment, and a segment with a cell is not written to. In the writer's process the cells are private memory;
/// those of a process that only reads are a file, which is void when that process is dead.
/// <code>
/// cell: bits 0-15 slot + 1, 0 when it is free · bits 16-63 how often it was taken
/// </code>
/// A returned cell keeps its count, so returning a lease twice is harmless. The sum of the counts is the number of hits.
/// Each of the first threads has cells that only it writes: a lease there costs two plain stores. The other leases, and those of other threads, compete for the shared
/// cells. A lease does not leave its thread.
/// </summary>
internal sealed unsafe class LeaseTable
{
    /// <summary>The number of cells.</summary>
    public const int Cells = OwnCells + SharedCells;

    /// <summary>The bytes of the file of a process that only reads.</summary>
    public const int FileBytes = Cells * sizeof(ulong);

    private const int OwnCells = ThreadNumber.Max * CellsPerThread;
    private const int SharedCells = Shards * ShardCells;

    // One line of the processor's cache, so that threads do not write into each other's lines.
    private const int CellsPerThread = Bucket.Words;
    private const int Shards = 16;
    private const int ShardCells = 256;
    private const ulong SlotMask = 0xFFFF;
    private const ulong One = SlotMask + 1;

    // One of the two holds the memory.
    private readonly ulong[]? _private;
    private readonly MappedFile? _file;
    private readonly ulong* _cells;

    // SAFETY: the array is pinned and referred to as long as this object.
    private LeaseTable() => _private = Bucket.Allocate(Cells / Bucket.Words, out _cells);

    // SAFETY: TryOpen has checked the length; this object keeps the file mapped.
    private LeaseTable(MappedFile file)
    {
        _file = file;
        _cells = (ulong*)file.Start;
    }

    /// <summary>Gets the number of leases that were given to users since the cells were last cleared.</summary>
    // SAFETY: counts up to Cells.
    public long Count
    {
        get
        {
            var sum = 0L;
            for (var i = 0; i < Cells; i++)
            {
                sum += (long)(Volatile.Read(ref _cells[i]) / One);
            }

            return sum;
        }
    }

    /// <summary>Gets whether a lease of any segment is held.</summary>
    public bool IsAnyHeld => Find(value: null);

    public static LeaseTable InMemory() => new();

    /// <summary>Opens the file of a process that only reads. The caller has its number, and returns all leases. The file is created if there is none, and made anew if it was cut off.</summary>
    /// <exception cref="DiskFullException">The disk has no room for the file.</exception>
    public static LeaseTable OpenOwn(string path, FilePermissions permissions)
    {
        if (File.Exists(path) && new FileInfo(path).Length != FileBytes)
        {
            File.Delete(path);
        }

        if (!File.Exists(path))
        {
            MappedFile.Create(path, FileBytes, permissions, CacheFiles.UnfinishedSuffix);
        }

        return TryOpen(path) ?? throw CacheCorruptedException.OfLeases(path, $"it does not have {FileBytes} bytes");
    }

    /// <summary>Determines whether cells that were read from the file of another process hold the segment.</summary>
    public static bool Hold(ReadOnlySpan<ulong> cells, int slot)
    {
        foreach (var cell in cells)
        {
            if ((cell & SlotMask) == (ulong)(slot + 1))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// Takes a lease of a segment. The caller checks the index again afterwards: then either it finds that the entry has left the segment, or the thread that
    /// reuses the segment finds the lease, because it removes the entries first, fences as <see cref="Holds"/> says, and then looks for leases.
    /// </summary>
    /// <exception cref="InvalidOperationException">All cells are taken.</exception>
    // SAFETY: a thread's number is below ThreadNumber.Max, so its cells are inside the table.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LeaseTicket Take(int slot)
    {
        Debug.Assert((uint)slot < SlotMask, "The slot does not fit into a cell.");
        var number = ThreadNumber.Current;
        if (number >= 0)
        {
            var cell = _cells + (number * CellsPerThread);
            var word = *cell;
            if ((word & SlotMask) == 0)
            {
                return TakeOwn(cell, word, slot);
            }
        }

        return TakeSlow(slot, number);
    }

    /// <summary>Gets the number of a lease's cell, from 0 to <see cref="Cells"/>.</summary>
    // SAFETY: compares addresses, and reads nothing.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int CellOf(LeaseTicket ticket)
    {
        Debug.Assert(ticket.Cell >= _cells && ticket.Cell < _cells + Cells, "The lease is of another table.");
        return (int)(ticket.Cell - _cells);
    }

    /// <summary>Returns a lease; the second time does nothing.</summary>
    // SAFETY: the caller refers to the table of the ticket. Only the thread that took the cell writes it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Return(LeaseTicket ticket)
    {
        if (ticket.IsHeld)
        {
            Volatile.Write(ref *ticket.Cell, ticket.Word & ~SlotMask);
        }
    }

    /// <summary>Returns a lease that was not given to a user, and does not count it.</summary>
    // SAFETY: as Return.
    public static void Undo(LeaseTicket ticket)
    {
        Debug.Assert(ticket.IsHeld, "A lease is undone once, or the count is wrong.");
        Volatile.Write(ref *ticket.Cell, (ticket.Word - One) & ~SlotMask);
    }

    /// <summary>
    /// Determines whether a lease holds the segment. The caller has fenced all threads of this process, because they take leases without a fence, and itself, because other
    /// processes have fences of their own.
    /// </summary>
    public bool Holds(int slot) => Find((ulong)(slot + 1));

    /// <summary>Clears all cells: returns their leases, and forgets their counts. The process that took them must be dead.</summary>
    // SAFETY: clears exactly the cells.
    public void Reset() => new Span<ulong>(_cells, Cells).Clear();

    /// <summary>Holds the segments that another table of this process holds.</summary>
    // SAFETY: both tables have as many cells, and KeepAlive holds their memory until the end of the loop.
    public void TakeOver(LeaseTable other)
    {
        for (var i = 0; i < Cells; i++)
        {
            Volatile.Write(ref _cells[i], Volatile.Read(ref other._cells[i]));
        }

        GC.KeepAlive(this);
        GC.KeepAlive(other);
    }

    // Null if it is not whole.
    private static LeaseTable? TryOpen(string path)
    {
        try
        {
            var file = MappedFile.Open(path, FileAccess.ReadWrite, isCollected: true);
            if (file.Length == FileBytes)
            {
                return new LeaseTable(file);
            }

            file.Dispose();
        }
        catch (Exception exception) when (exception is FileNotFoundException or InvalidDataException)
        {
            // It is missing, or empty.
        }

        return null;
    }

    // SAFETY: the index stays below the number of cells, and KeepAlive holds the memory until the end of the loop.
    private bool Find(ulong? value)
    {
        for (var i = 0; i < Cells; i++)
        {
            var slot = Volatile.Read(ref _cells[i]) & SlotMask;
            if (value is { } wanted ? slot == wanted : slot != 0)
            {
                return true;
            }
        }

        GC.KeepAlive(_private);
        GC.KeepAlive(_file);
        return false;
    }

    // SAFETY: the caller has computed the cell from its thread's number, so no other thread writes it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private LeaseTicket TakeOwn(ulong* cell, ulong word, int slot)
    {
        var taken = word + One + (ulong)(slot + 1);
        Volatile.Write(ref *cell, taken);
        if (_file is not null)
        {
            Interlocked.MemoryBarrier();
        }

        return new LeaseTicket(cell, taken);
    }

    // SAFETY: as Take.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private LeaseTicket TakeSlow(int slot, int number)
    {
        if (number < 0)
        {
            number = ThreadNumber.Assign();
        }

        Debug.Assert(number < ThreadNumber.Max, "The cells of the thread are outside the table.");
        for (var i = 0; number >= 0 && i < CellsPerThread; i++)
        {
            var cell = _cells + (number * CellsPerThread) + i;
            if ((*cell & SlotMask) == 0)
            {
                return TakeOwn(cell, *cell, slot);
            }
        }

        return TakeShared(slot);
    }

    // SAFETY: the remainder keeps the cell among the shared ones.
    private LeaseTicket TakeShared(int slot)
    {
        var first = Environment.CurrentManagedThreadId % Shards * ShardCells;
        for (var i = 0; i < SharedCells; i++)
        {
            var cell = _cells + OwnCells + ((first + i) % SharedCells);
            var word = Volatile.Read(ref *cell);
            if ((word & SlotMask) == 0)
            {
                var taken = word + One + (ulong)(slot + 1);
                if (Interlocked.CompareExchange(ref *cell, taken, word) == word)
                {
                    return new LeaseTicket(cell, taken);
                }
            }
        }

        ThrowFull();
        return default;
    }

    [DoesNotReturn]
    private static void ThrowFull() => throw new InvalidOperationException(
        $"This process holds {SharedCells} leases of the cache, which is the limit. Dispose leases when they are read.");
}
