namespace BufferedMessages;

/// <summary>
/// The counts of a <see cref="BufferPool"/>, as <see cref="BufferPool.GetStatistics"/> found them. The numbers are read one after the other while the pool
/// runs; they add up exactly if no thread rents or returns a buffer at that time. Leaked buffers count as in use permanently. Immutable.
/// </summary>
public sealed class BufferPoolStatistics
{
    internal BufferPoolStatistics(long rented, long returned, long allocated, long dropped, long inUseBytes, long freeBytes)
    {
        Rented = rented;
        Returned = returned;
        Allocated = allocated;
        Dropped = dropped;
        InUseBytes = inUseBytes;
        FreeBytes = freeBytes;
    }

    /// <summary>Gets the number of buffers that were rented.</summary>
    public long Rented { get; }

    /// <summary>Gets the number of buffers that were returned.</summary>
    public long Returned { get; }

    /// <summary>Gets the number of rentals that found no free buffer, so that one was allocated.</summary>
    public long Allocated { get; }

    /// <summary>Gets the number of buffers that were left to the garbage collector: above the limit, too large, or unused for too long.</summary>
    public long Dropped { get; }

    /// <summary>Gets the number of bytes in rented buffers.</summary>
    public long InUseBytes { get; }

    /// <summary>Gets the number of bytes in free buffers.</summary>
    public long FreeBytes { get; }

    /// <summary>The statistics without any count.</summary>
    internal static BufferPoolStatistics None { get; } = new(0, 0, 0, 0, 0, 0);

    /// <summary>Returns the numbers in one line.</summary>
    public override string ToString() => FormattableString.Invariant(
        $"{Rented} rented, {Returned} returned, {Allocated} allocated, {Dropped} dropped, {InUseBytes} bytes in use, {FreeBytes} bytes free");
}
