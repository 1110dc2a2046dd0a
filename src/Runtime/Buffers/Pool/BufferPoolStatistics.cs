namespace BufferedMessages;

/// <summary>
/// What a <see cref="BufferPool"/> counted, as <see cref="BufferPool.GetStatistics"/> found it. The numbers are read one after the other while the pool
/// runs; they balance exactly when nobody rents or returns meanwhile. What leaked counts as in use for ever.
/// </summary>
/// <param name="Rented">Buffers that were rented.</param>
/// <param name="Returned">Buffers that came back.</param>
/// <param name="Allocated">Rentals that found no free buffer, so that one was allocated.</param>
/// <param name="Dropped">Buffers that were left to the garbage collector: above the limit, too large, or not needed for long.</param>
/// <param name="BytesInUse">Bytes of the buffers that are rented.</param>
/// <param name="BytesFree">Bytes of the buffers that wait to be rented.</param>
public readonly record struct BufferPoolStatistics(long Rented, long Returned, long Allocated, long Dropped, long BytesInUse, long BytesFree);
