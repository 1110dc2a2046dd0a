using System.Buffers.Binary;

namespace BufferedMessages.CrossProcess;

/// <summary>A message that says who published it and as which one, with a length and a content that follow from that.</summary>
internal static class NumberedMessage
{
    public const int MaxBytes = 400;

    private const int HeaderBytes = 12;

    /// <summary>Writes the message and returns its length.</summary>
    public static int Write(Span<byte> destination, int generation, long number)
    {
        var length = Length(number);
        BinaryPrimitives.WriteInt32LittleEndian(destination, generation);
        BinaryPrimitives.WriteInt64LittleEndian(destination[4..], number);
        destination[HeaderBytes..length].Fill(Filler(number));
        return length;
    }

    /// <summary>Checks every byte of a message.</summary>
    public static (int Generation, long Number) Read(ReadOnlySpan<byte> message)
    {
        var generation = BinaryPrimitives.ReadInt32LittleEndian(message);
        var number = BinaryPrimitives.ReadInt64LittleEndian(message[4..]);
        if (message.Length != Length(number) || message[HeaderBytes..].IndexOfAnyExcept(Filler(number)) >= 0)
        {
            throw new InvalidDataException($"Message {number} of generation {generation} is damaged.");
        }

        return (generation, number);
    }

    private static int Length(long number) => HeaderBytes + (int)(number * 37 % (MaxBytes - HeaderBytes));

    private static byte Filler(long number) => (byte)(number % 251);
}
