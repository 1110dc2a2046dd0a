namespace BufferedMessages;

/// <summary>A buffer of a <see cref="PooledStream"/>, and its place in the stream.</summary>
internal struct StreamBlock
{
    /// <summary>The buffer, as the pool gave it.</summary>
    public byte[] Buffer;

    /// <summary>The position in the stream of its first byte.</summary>
    public long Start;

    /// <summary>The number of bytes of the stream that it can hold. Less than the buffer's length if a later block was opened before it was full.</summary>
    public int Bytes;

    /// <summary>The number of bytes from its start that were offered for direct writes, whether they belong to the stream or not.</summary>
    public int Offered;

    /// <summary>The position in the stream after its last byte.</summary>
    public readonly long End => Start + Bytes;
}
