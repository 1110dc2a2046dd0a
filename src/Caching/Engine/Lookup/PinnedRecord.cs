namespace BufferedMessages.Caching;

/// <summary>A record that was found through the index, and a lease of its segment or of its copy.</summary>
internal readonly struct PinnedRecord(LeaseTicket ticket, CacheRecord record, bool isCopy, IndexTable table, IndexCell cell, ulong word)
{
    public LeaseTicket Ticket { get; } = ticket;

    public CacheRecord Record { get; } = record;

    /// <summary>Gets whether the record was copied: its expiry is that of the moment of the copy.</summary>
    public bool IsCopy { get; } = isCopy;

    /// <summary>Gets the table of the cell, which this reference keeps mapped.</summary>
    public IndexTable Table { get; } = table;

    public IndexCell Cell { get; } = cell;

    /// <summary>Gets the word of the cell as it was found.</summary>
    public ulong Word { get; } = word;

    public long Location => IndexWord.Location(Word);

    /// <summary>Gets whether the entry still leads to the record.</summary>
    public bool IsCurrent => IndexWord.Identity(Cell.Word) == IndexWord.Identity(Word);
}
