namespace BufferedMessages;

/// <summary>What a <see cref="FreeStack"/> counted, in buffers.</summary>
/// <param name="Rented">Rentals that came to the stack, found something or not.</param>
/// <param name="Allocated">Rentals that found nothing.</param>
/// <param name="Dropped">Buffers that left the pool for the garbage collector.</param>
/// <param name="Free">Buffers that are in the stack.</param>
internal readonly record struct FreeStackCounts(long Rented, long Allocated, long Dropped, int Free);
