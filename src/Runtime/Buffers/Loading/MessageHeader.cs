using System.Buffers.Binary;
using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>What the header of a message says before the rest of it is there.</summary>
internal static class MessageHeader
{
    /// <summary>Reads how many bytes the whole message has.</summary>
    /// <param name="header">At least <see cref="WireFormat.HeaderBytes"/> bytes.</param>
    /// <exception cref="MalformedMessageException">No message can have so many.</exception>
    public static int TotalBytesOf(ReadOnlySpan<byte> header)
    {
        var totalBytes = BinaryPrimitives.ReadUInt32LittleEndian(header[4..]);
        if (totalBytes is < WireFormat.HeaderBytes or > int.MaxValue)
        {
            Malformed.ThrowHeader($"its header says {totalBytes} bytes", header.Length);
        }

        return (int)totalBytes;
    }
}
