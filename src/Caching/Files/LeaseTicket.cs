namespace BufferedMessages.Caching;

/// <summary>Says which cell of a <see cref="LeaseTable"/> a lease has, and what it holds as long as it is not given back.</summary>
internal readonly unsafe struct LeaseTicket(ulong* cell, ulong word)
{
    public ulong* Cell { get; } = cell;

    public ulong Word { get; } = word;

    /// <summary>The lease is not given back yet. To be asked only as long as the table is there, which a lease that is held sees to.</summary>
    public bool IsHeld => Volatile.Read(ref *Cell) == Word;
}
