namespace BufferedMessages.Caching;

/// <summary>The cell of a <see cref="LeaseTable"/> that a lease has taken, and the word in it while the lease is held.</summary>
internal readonly struct LeaseTicket
{
    // SAFETY: the table computes the address of one of its cells.
    public unsafe LeaseTicket(ulong* cell, ulong word)
    {
        Cell = cell;
        Word = word;
    }

    // SAFETY: the table bounds the address; a lease refers to its table.
    public unsafe ulong* Cell { get; }

    public ulong Word { get; }

    /// <summary>Gets whether the lease has not been returned yet.</summary>
    // SAFETY: callers refer to the table, which keeps the cell.
    public unsafe bool IsHeld => Volatile.Read(ref *Cell) == Word;
}
