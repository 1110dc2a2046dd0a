namespace BufferedMessages;

/// <summary>A stream or an owner that was collected without being disposed. Its buffers went with it; they are not pooled again.</summary>
public sealed class BufferLeakEventArgs : EventArgs
{
    internal BufferLeakEventArgs(BufferRental rental) => Rental = rental;

    /// <summary>What leaked, and where it was rented.</summary>
    public BufferRental Rental { get; }
}
