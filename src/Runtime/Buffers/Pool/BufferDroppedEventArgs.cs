namespace BufferedMessages;

/// <summary>The data of <see cref="BufferPool.BufferDropped"/>, for a returned buffer that the pool left to the garbage collector.</summary>
public sealed class BufferDroppedEventArgs : EventArgs
{
    internal BufferDroppedEventArgs(int bytes, BufferDropReason reason)
    {
        Bytes = bytes;
        Reason = reason;
    }

    /// <summary>Gets the size of the buffer in bytes.</summary>
    public int Bytes { get; }

    /// <summary>Gets the reason why it was not kept.</summary>
    public BufferDropReason Reason { get; }
}
