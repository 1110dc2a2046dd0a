namespace BufferedMessages.Caching;

/// <summary>A record to which an entry may lead.</summary>
/// <param name="Record">The record, or a copy of it.</param>
/// <param name="Location">The location of the record.</param>
/// <param name="Hash">The hash of its key.</param>
/// <param name="ExpiryChanges">The count of its segment's <see cref="Caching.ExpiryChanges"/> from before it was copied; null if it is not a copy.</param>
internal readonly record struct LiveRecord(CacheRecord Record, long Location, ulong Hash, int? ExpiryChanges);
