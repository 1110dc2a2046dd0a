namespace BufferedMessages;

/// <summary>The counts of a <see cref="FreeStack"/>, in buffers.</summary>
/// <param name="Rented">Rentals that came to the stack, whether they found a buffer or not.</param>
/// <param name="Allocated">Rentals that found nothing.</param>
/// <param name="Dropped">Buffers that left the pool for the garbage collector.</param>
/// <param name="Free">Buffers that are in the stack.</param>
internal readonly record struct FreeStackCounts(long Rented, long Allocated, long Dropped, int Free);
