namespace BufferedMessages;

/// <summary>A returned buffer that the pool left to the garbage collector.</summary>
/// <param name="bytes">See <see cref="Bytes"/>.</param>
/// <param name="reason">See <see cref="Reason"/>.</param>
public sealed class BufferDroppedEventArgs(int bytes, BufferDropReason reason) : EventArgs
{
    /// <summary>Bytes of the buffer.</summary>
    public int Bytes { get; } = bytes;

    /// <summary>Why it was not kept.</summary>
    public BufferDropReason Reason { get; } = reason;
}
