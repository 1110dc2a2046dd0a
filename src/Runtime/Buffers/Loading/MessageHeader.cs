using System.Buffers.Binary;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The header of a message, before the rest of it has arrived.</summary>
internal static class MessageHeader
{
    /// <summary>Reads the length of the whole message.</summary>
    /// <param name="header">At least <see cref="WireFormat.HeaderBytes"/> bytes.</param>
    /// <param name="pool">The pool of the buffer that is to hold the message.</param>
    /// <exception cref="MalformedMessageException">No message in a buffer of the pool can have that length.</exception>
    public static int TotalBytesOf(ReadOnlySpan<byte> header, BufferStore pool)
    {
        var totalBytes = BinaryPrimitives.ReadUInt32LittleEndian(header[4..]);
        if (totalBytes < WireFormat.HeaderBytes || totalBytes > pool.MostBytes)
        {
            Malformed.Throw($"its header says {totalBytes} bytes, which is not from {WireFormat.HeaderBytes} to {pool.MostBytes}", header.Length);
        }

        return (int)totalBytes;
    }
}
