namespace BufferedMessages.Caching;

/// <summary>Says which cell of a <see cref="LeaseTable"/> a lease has, and what it holds as long as it is not given back.</summary>
internal readonly unsafe struct LeaseTicket(ulong* cell, ulong word)
{
    public ulong* Cell { get; } = cell;

    public ulong Word { get; } = word;
}
