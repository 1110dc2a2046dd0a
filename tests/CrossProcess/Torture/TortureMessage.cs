using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.InteropServices;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>
/// A message that says which incarnation of a producer published it and as which one; every other byte of it follows from that. Some are
/// empty: of those only the number is checked.
/// </summary>
internal static class TortureMessage
{
    public const int MaxBytes = 70_000;

    /// <summary>A message of a batch has at most so many bytes.</summary>
    public const int MaxBytesInBatch = 400;

    /// <summary>A batch has at most so many messages.</summary>
    public const int MostInBatch = 13;

    // Numbers are cut into blocks of so many, and some blocks have a batch in them.
    private const int BlockNumbers = 16;
    private const int HeaderBytes = 8;
    private const uint EmptyOneIn = 64;

    /// <summary>The message of this number has no bytes.</summary>
    public static bool IsEmpty(int incarnation, int number) => Mix(incarnation, number) % EmptyOneIn == 0;

    /// <summary>The batch that the message is published in: its first number, and how many it has; 1 if the message is published alone.</summary>
    public static (int First, int Count) BatchOf(int incarnation, int number)
    {
        var block = number / BlockNumbers;
        var random = Mix(incarnation, ~block);
        var first = (block * BlockNumbers) + (int)(random / 4 % (BlockNumbers - MostInBatch + 1));
        var count = 2 + (int)(random / 16 % (MostInBatch - 1));
        return random % 4 == 0 && number >= first && number < first + count ? (first, count) : (number, 1);
    }

    /// <summary>The message is published in a batch of objects. All messages of one have the same properties: none.</summary>
    public static bool IsInBatchOfObjects(int incarnation, int number)
    {
        var (first, count) = BatchOf(incarnation, number);
        return count > 1 && Mix(~incarnation, first) % 3 == 0;
    }

    /// <summary>A length for the message: mostly small ones, some of a few hundred bytes, and a few as large as they come.</summary>
    public static int Length(int incarnation, int number, int max)
    {
        if (IsEmpty(incarnation, number))
        {
            return 0;
        }

        var random = Mix(incarnation, number) / EmptyOneIn;
        var range = (random % 256) switch
        {
            0 => MaxBytes,
            < 4 => 4_000,
            < 40 => 400,
            _ => 48,
        };
        return Math.Min(HeaderBytes + (int)(random / 256 % (uint)(range - HeaderBytes + 1)), max);
    }

    /// <summary>Writes the whole message.</summary>
    public static void Write(Span<byte> message, int incarnation, int number)
    {
        if (message.Length == 0)
        {
            return;
        }

        BinaryPrimitives.WriteUInt16LittleEndian(message, (ushort)incarnation);
        BinaryPrimitives.WriteUInt16LittleEndian(message[2..], Check(incarnation, number, message.Length));
        BinaryPrimitives.WriteInt32LittleEndian(message[4..], number);
        var filler = Filler(incarnation, number);
        var words = MemoryMarshal.Cast<byte, ulong>(message[HeaderBytes..]);
        for (var i = 0; i < words.Length; i++)
        {
            words[i] = filler + (ulong)i;
        }

        message[(HeaderBytes + (words.Length * sizeof(ulong)))..].Fill((byte)filler);
    }

    /// <summary>Checks every byte of a message that is not empty.</summary>
    public static bool TryRead(ReadOnlySpan<byte> message, out int incarnation, out int number)
    {
        incarnation = number = -1;
        if (message.Length < HeaderBytes)
        {
            return false;
        }

        incarnation = BinaryPrimitives.ReadUInt16LittleEndian(message);
        number = BinaryPrimitives.ReadInt32LittleEndian(message[4..]);
        if (BinaryPrimitives.ReadUInt16LittleEndian(message[2..]) != Check(incarnation, number, message.Length))
        {
            return false;
        }

        var filler = Filler(incarnation, number);
        var words = MemoryMarshal.Cast<byte, ulong>(message[HeaderBytes..]);
        for (var i = 0; i < words.Length; i++)
        {
            if (words[i] != filler + (ulong)i)
            {
                return false;
            }
        }

        return message[(HeaderBytes + (words.Length * sizeof(ulong)))..].IndexOfAnyExcept((byte)filler) < 0;
    }

    /// <summary>The properties of the message: every third one that is not very large has some, unless it is one of a batch of objects.</summary>
    public static MessageProperties? PropertiesOf(int incarnation, int number, int length) =>
        HasProperties(incarnation, number, length) ? new MessageProperties { CorrelationId = Correlation(incarnation, number), Attempts = number } : null;

    /// <summary>Checks the properties of a message that is not empty.</summary>
    public static bool HasItsProperties(ReadOnlySpan<byte> message, DeliveryProperties properties)
    {
        TryRead(message, out var incarnation, out var number);
        return HasProperties(incarnation, number, message.Length)
            ? properties.CorrelationId == Correlation(incarnation, number) && properties.Attempts == number
            : properties.CorrelationId.IsNull;
    }

    private static bool HasProperties(int incarnation, int number, int length) =>
        number % 3 == 0 && length is > 0 and <= MaxBytes / 2 && !IsInBatchOfObjects(incarnation, number);

    private static string Correlation(int incarnation, int number) => string.Create(CultureInfo.InvariantCulture, $"{incarnation}/{number}");

    private static ushort Check(int incarnation, int number, int length) => (ushort)Mix(incarnation + (length * 31), number + 7);

    private static ulong Filler(int incarnation, int number) => ((ulong)Mix(incarnation, number) << 32) | Mix(number, incarnation);

    private static uint Mix(int left, int right)
    {
        var word = (((ulong)(uint)left << 32) | (uint)right) * 0x9E3779B97F4A7C15;
        word = (word ^ (word >> 29)) * 0xBF58476D1CE4E5B9;
        return (uint)(word >> 32);
    }
}
