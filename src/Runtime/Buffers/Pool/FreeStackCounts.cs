namespace BufferedMessages;

/// <summary>The counts of a <see cref="FreeStack"/>, in buffers.</summary>
/// <param name="Rented">Rentals that came to the stack, whether they found a buffer or not.</param>
/// <param name="Allocated">Rentals that found nothing.</param>
/// <param name="Returned">Buffers that came back to the stack, whether it kept them or not.</param>
/// <param name="Free">Buffers that are in the stack.</param>
internal readonly record struct FreeStackCounts(long Rented, long Allocated, long Returned, int Free);
