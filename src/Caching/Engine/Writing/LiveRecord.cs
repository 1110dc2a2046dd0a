namespace BufferedMessages.Caching;

/// <summary>A record to which an entry may lead.</summary>
/// <param name="Record">The record.</param>
/// <param name="Location">Its location.</param>
/// <param name="Hash">The hash of its key.</param>
internal readonly record struct LiveRecord(CacheRecord Record, long Location, ulong Hash);
