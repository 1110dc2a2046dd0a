namespace BufferedMessages.Caching;

/// <summary>A lease of an entry, as the engine gives it out. It is made where it will stand: copying it costs more than the rest of a read.</summary>
internal readonly ref struct EntryLease(CacheStore store, LeaseTicket ticket, scoped in CacheRecord record)
{
    /// <summary>Who gave it out; null when nobody did.</summary>
    public readonly CacheStore? Store = store;

    public readonly LeaseTicket Ticket = ticket;

    public readonly CacheRecord Record = record;
}
