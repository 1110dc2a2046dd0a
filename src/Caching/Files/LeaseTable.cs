using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The leases of one process: who reads a segment holds a cell here, and a segment with a cell is not written to. In the writer's process they are private memory;
/// those of a process that only reads are a file, which is void when that process is dead.
/// <code>
/// cell: bits 0-15 slot + 1, 0 when it is free · bits 16-63 how often it was taken
/// </code>
/// A cell that is given back keeps its count, so a lease that is given back twice does no harm. Taken together the counts are the hits.
/// Each of the first threads has cells of its own, which nobody else writes: a lease there costs two plain stores. The other leases, and those of other threads, compete for the
/// cells behind them. A lease does not leave its thread.
/// </summary>
internal sealed unsafe class LeaseTable
{
    /// <summary>All cells.</summary>
    public const int Cells = OwnCells + SharedCells;

    private const int OwnCells = ThreadNumber.Max * CellsPerThread;
    private const int SharedCells = Shards * ShardCells;

    // Other threads do not write into their lines.
    private const int CellsPerThread = Bucket.Words;
    private const int Shards = 16;
    private const int ShardCells = 256;
    private const ulong SlotMask = 0xFFFF;
    private const ulong One = SlotMask + 1;
    private const string TemporarySuffix = "creating";

    // One of the two holds the memory.
    private readonly ulong[]? _private;
    private readonly MappedFile? _file;
    private readonly ulong* _cells;

    private LeaseTable() => _private = Bucket.Allocate(Cells / Bucket.Words, out _cells);

    private LeaseTable(MappedFile file)
    {
        _file = file;
        _cells = (ulong*)file.Start;
    }

    /// <summary>Leases that were given to users, since the memory was made.</summary>
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

    /// <summary>Some segment is held.</summary>
    public bool IsAnyHeld => Find(mask: SlotMask, value: null);

    public static LeaseTable InMemory() => new();

    /// <summary>Opens the file of a reader, which is created if need be.</summary>
    public static LeaseTable OpenFile(string path)
    {
        if (!File.Exists(path))
        {
            MappedFile.Create(path, Cells * sizeof(ulong), TemporarySuffix);
        }

        var file = MappedFile.Open(path, FileAccess.ReadWrite, isCollected: true);
        return file.Length == Cells * sizeof(ulong)
            ? new LeaseTable(file)
            : throw CacheCorruptedException.OfLeases(path, $"it has {file.Length} bytes instead of {Cells * sizeof(ulong)}");
    }

    /// <summary>
    /// Holds a segment. Whoever takes away what leads to a segment, has the fences that <see cref="Holds"/> asks for, and then looks for leases finds this one, or is
    /// found out by the next look at the index.
    /// </summary>
    /// <exception cref="InvalidOperationException">All cells are taken.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LeaseTicket Take(int slot)
    {
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

        return TakeFurther(slot, number);
    }

    /// <summary>The number of a lease's cell, from 0 to <see cref="Cells"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int CellOf(LeaseTicket ticket) => (int)(ticket.Cell - _cells);

    /// <summary>Gives a lease back; nothing happens the second time.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Return(LeaseTicket ticket)
    {
        if (ticket.IsHeld)
        {
            Volatile.Write(ref *ticket.Cell, ticket.Word & ~SlotMask);
        }
    }

    /// <summary>Gives a lease back that no user got to see, and does not count it.</summary>
    public static void Undo(LeaseTicket ticket) => Volatile.Write(ref *ticket.Cell, (ticket.Word - One) & ~SlotMask);

    /// <summary>
    /// A lease holds the segment. The caller has fenced: all threads of its process, because they store their leases without a fence, and itself, because other processes
    /// have fences of their own.
    /// </summary>
    public bool Holds(int slot) => Find(SlotMask, (ulong)(slot + 1));

    /// <summary>Gives everything back: its owner is dead.</summary>
    public void Reset() => new Span<ulong>(_cells, Cells).Clear();

    private bool Find(ulong mask, ulong? value)
    {
        for (var i = 0; i < Cells; i++)
        {
            var slot = Volatile.Read(ref _cells[i]) & mask;
            if (value is { } wanted ? slot == wanted : slot != 0)
            {
                return true;
            }
        }

        GC.KeepAlive(_private);
        GC.KeepAlive(_file);
        return false;
    }

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

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LeaseTicket TakeFurther(int slot, int number)
    {
        if (number < 0)
        {
            number = ThreadNumber.Assign();
        }

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
        $"{SharedCells} leases of this cache are open in this process, which is all there can be. Dispose leases when they are read.");
}
