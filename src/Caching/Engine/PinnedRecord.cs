namespace BufferedMessages.Caching;

/// <summary>A record that was found, and a lease of its segment.</summary>
internal readonly unsafe struct PinnedRecord(LeaseTicket ticket, CacheRecord record, bool isCopy, IndexTable table, ulong* cell, ulong word)
{
    public LeaseTicket Ticket { get; } = ticket;

    public CacheRecord Record { get; } = record;

    /// <summary>The record was copied: its expiry is that of the moment when it was.</summary>
    public bool IsCopy { get; } = isCopy;

    public IndexTable Table { get; } = table;

    public ulong* Cell { get; } = cell;

    public ulong Word { get; } = word;

    /// <summary>The record's location.</summary>
    public long Location => IndexWord.Location(Word);

    /// <summary>The entry still leads to the record.</summary>
    public bool IsCurrent => IndexWord.Identity(Volatile.Read(ref *Cell)) == IndexWord.Identity(Word);
}
