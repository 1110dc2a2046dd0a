namespace BufferedMessages;

/// <summary>
/// The data of <see cref="BufferPool.LeakFound"/>, for a stream or an owner that was collected without being disposed. Its buffers were collected too, and do not return to the pool.
/// </summary>
public sealed class BufferLeakEventArgs : EventArgs
{
    internal BufferLeakEventArgs(BufferRental rental) => Rental = rental;

    /// <summary>Gets the rental that leaked.</summary>
    public BufferRental Rental { get; }
}
