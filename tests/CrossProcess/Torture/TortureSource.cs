using System.Runtime.CompilerServices;
using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>A torture message as an object, which the producer of objects writes: in place, if the queue is for one producer.</summary>
internal sealed class TortureSource(int incarnation, int number, int length, SourceFault fault = SourceFault.None) : IBufferedMessageSource<TortureSource>
{
    public static MessageSchema Schema => throw new NotSupportedException("The queue holds bytes.");

    /// <summary>A producer of objects beside that of bytes: one at a time is used.</summary>
    public static MessageProducer<TortureSource> ProducerOn(MessageProducer producer) => new(WriterOf(producer));

    public int CalculateSize() => fault switch
    {
        SourceFault.SaysLess => length / 2,
        SourceFault.SaysMore => length + 40,
        _ => length,
    };

    public int Write(Span<byte> destination)
    {
        if (destination.Length < length)
        {
            throw new ArgumentException("The message does not fit.", nameof(destination));
        }

        // Nothing that is written too much may ever come.
        destination[..Math.Min(destination.Length, length * 2)].Fill(0xEE);
        FaultPoints.Hit(FaultPoint.MidObject);
        if (fault == SourceFault.Throws)
        {
            destination[..(length / 2)].Clear();
            throw new SourceFaultException();
        }

        TortureMessage.Write(destination[..length], incarnation, number);
        return fault == SourceFault.ReturnsNegative ? -length : length;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_writer")]
    private static extern ref LogWriter WriterOf(MessageProducer producer);
}

/// <summary>What is wrong with an object.</summary>
internal enum SourceFault
{
    None,

    /// <summary>It throws when half of the message is written.</summary>
    Throws,

    /// <summary>It calculates less bytes than it writes.</summary>
    SaysLess,

    /// <summary>It calculates more bytes than it writes.</summary>
    SaysMore,

    /// <summary>It returns a number of bytes that cannot be.</summary>
    ReturnsNegative,
}

/// <summary>An object could not be written.</summary>
internal sealed class SourceFaultException : Exception;
