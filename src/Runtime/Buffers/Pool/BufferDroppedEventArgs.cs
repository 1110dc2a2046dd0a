namespace BufferedMessages;

/// <summary>A returned buffer that the pool left to the garbage collector.</summary>
public sealed class BufferDroppedEventArgs : EventArgs
{
    internal BufferDroppedEventArgs(int bytes, BufferDropReason reason)
    {
        Bytes = bytes;
        Reason = reason;
    }

    /// <summary>Bytes of the buffer.</summary>
    public int Bytes { get; }

    /// <summary>Why it was not kept.</summary>
    public BufferDropReason Reason { get; }
}
