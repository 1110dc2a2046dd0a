using System.Buffers.Binary;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The header of a message, before the rest of it has arrived.</summary>
internal static class MessageHeader
{
    /// <summary>Reads the length of the whole message.</summary>
    /// <param name="header">At least <see cref="WireFormat.HeaderBytes"/> bytes.</param>
    /// <exception cref="MalformedMessageException">No message can have that length.</exception>
    public static int TotalBytesOf(ReadOnlySpan<byte> header)
    {
        var totalBytes = BinaryPrimitives.ReadUInt32LittleEndian(header[4..]);
        if (totalBytes is < WireFormat.HeaderBytes or > int.MaxValue)
        {
            Malformed.Throw($"its header says {totalBytes} bytes", header.Length);
        }

        return (int)totalBytes;
    }
}
