namespace BufferedMessages.Caching;

/// <summary>A lease of an entry, as the engine returns it. It is constructed in its final place, because copying it costs more than the rest of a read.</summary>
internal readonly ref struct EntryLease(CacheLeases leases, LeaseTicket ticket, scoped in CacheRecord record)
{
    /// <summary>Takes the lease back; null in the default value.</summary>
    public readonly CacheLeases? Leases = leases;

    public readonly LeaseTicket Ticket = ticket;

    public readonly CacheRecord Record = record;
}
