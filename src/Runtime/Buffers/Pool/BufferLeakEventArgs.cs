namespace BufferedMessages;

/// <summary>A stream or an owner that was collected without being disposed. Its buffers went with it; they are not pooled again.</summary>
/// <param name="rental">See <see cref="Rental"/>.</param>
public sealed class BufferLeakEventArgs(BufferRental rental) : EventArgs
{
    /// <summary>What leaked, and where it was rented.</summary>
    public BufferRental Rental { get; } = rental;
}
