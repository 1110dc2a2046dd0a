namespace BufferedMessages;

/// <summary>The data of the event for a stream or an owner that was collected without being disposed. Its buffers were collected too, and are not pooled again.</summary>
public sealed class BufferLeakEventArgs : EventArgs
{
    internal BufferLeakEventArgs(BufferRental rental) => Rental = rental;

    /// <summary>Gets the rental that leaked.</summary>
    public BufferRental Rental { get; }
}
