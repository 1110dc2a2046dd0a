namespace BufferedMessages;

/// <summary>A buffer of a <see cref="PooledStream"/>, and which part of the stream is in it.</summary>
internal struct StreamBlock
{
    /// <summary>The buffer, as the pool gave it.</summary>
    public byte[] Buffer;

    /// <summary>The position in the stream of its first byte.</summary>
    public long Start;

    /// <summary>How many bytes of the stream are in it, or can be. Less than the buffer has when a later block was opened before it was full.</summary>
    public int Bytes;

    /// <summary>How many bytes from its start were offered to be written directly, of the stream or not.</summary>
    public int Offered;

    /// <summary>The position in the stream behind its last byte.</summary>
    public readonly long End => Start + Bytes;
}
