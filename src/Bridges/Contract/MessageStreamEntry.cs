namespace BufferedMessages.Bridges;

/// <summary>An entry of a stream, as a broker's package reads it.</summary>
/// <param name="Offset">Its place in the stream.</param>
/// <param name="Header">The header of the run; empty if the entry was not written by a bridge.</param>
/// <param name="Body">The body.</param>
public readonly record struct MessageStreamEntry(StreamOffset Offset, ReadOnlyMemory<byte> Header, ReadOnlyMemory<byte> Body);
