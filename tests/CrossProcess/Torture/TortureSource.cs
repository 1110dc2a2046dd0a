using System.Runtime.CompilerServices;
using BufferedMessages.Queues;

namespace BufferedMessages.CrossProcess.Torture;

/// <summary>A torture message as an object, which the producer of objects writes: in place, if the queue is for one producer.</summary>
internal sealed class TortureSource(int incarnation, int number, int length) : IBufferedMessageSource<TortureSource>
{
    public static MessageSchema Schema => throw new NotSupportedException("The queue holds bytes.");

    /// <summary>A producer of objects beside that of bytes: one at a time is used.</summary>
    public static MessageProducer<TortureSource> ProducerOn(MessageProducer producer) => new(WriterOf(producer));

    public int CalculateSize() => length;

    public int Write(Span<byte> destination)
    {
        if (destination.Length < length)
        {
            throw new ArgumentException("The message does not fit.", nameof(destination));
        }

        // Nothing that is written too much may ever come.
        destination[..Math.Min(destination.Length, length * 2)].Fill(0xEE);
        TortureMessage.Write(destination[..length], incarnation, number);
        return length;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_writer")]
    private static extern ref LogWriter WriterOf(MessageProducer producer);
}
