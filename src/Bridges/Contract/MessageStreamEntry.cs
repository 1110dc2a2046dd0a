namespace BufferedMessages.Bridges;

/// <summary>An entry of a stream, as a broker's package reads it.</summary>
/// <param name="offset">Its place in the stream.</param>
/// <param name="header">The header of the run; empty if the entry was not written by a bridge.</param>
/// <param name="body">The body.</param>
public readonly struct MessageStreamEntry(StreamOffset offset, ReadOnlyMemory<byte> header, ReadOnlyMemory<byte> body)
{
    /// <summary>Gets the place in the stream.</summary>
    public StreamOffset Offset { get; } = offset;

    /// <summary>Gets the header of the run; empty if the entry was not written by a bridge.</summary>
    public ReadOnlyMemory<byte> Header { get; } = header;

    /// <summary>Gets the body.</summary>
    public ReadOnlyMemory<byte> Body { get; } = body;
}
