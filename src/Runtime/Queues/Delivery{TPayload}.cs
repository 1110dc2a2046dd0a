using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// One message of a queue, handed to one consumer or reader. It can be stored and carried over an <c>await</c>; the view that it gives cannot.
/// It is open until it is committed or abandoned, or until its consumer reads on; then every member but <see cref="Dispose"/> throws.
/// Serves one thread at a time, as its consumer does.
/// </summary>
/// <typeparam name="TPayload">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public readonly struct Delivery<TPayload> : IDisposable
    where TPayload : IQueuePayload<TPayload>, allows ref struct
{
    private readonly LogReader? _reader;
    private readonly long _number;

    internal Delivery(LogReader reader, long number)
    {
        _reader = reader;
        _number = number;
    }

    /// <summary>The message, read in place in the mapped queue. It cannot leave the scope of the variable that holds the delivery: the compiler sees to that.</summary>
    /// <exception cref="ObjectDisposedException">The delivery is closed.</exception>
    /// <exception cref="MalformedMessageException">The bytes are not a message of this type. <see cref="Commit"/> steps over it.</exception>
    [UnscopedRef]
    public TPayload Message
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => TPayload.Open(Reader.Payload(_number));
    }

    /// <summary>The message's position in the queue, in bytes.</summary>
    /// <exception cref="ObjectDisposedException">The delivery is closed.</exception>
    public long Position => Reader.PositionOf(_number);

    /// <summary>The message may have been delivered before, to a consumer that died or was closed before it had committed.</summary>
    /// <exception cref="ObjectDisposedException">The delivery is closed.</exception>
    public bool IsRedelivery => Reader.IsRedelivery(_number);

    private LogReader Reader
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _reader ?? ThrowEmpty();
    }

    /// <summary>
    /// Says that the message was handled, and closes the delivery. The name's position in the queue moves past it, and past every earlier message that
    /// was read and not committed. A reader has no such position: for it this only closes the delivery.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The delivery is closed.</exception>
    public void Commit() => Reader.Commit(_number);

    /// <summary>Closes the delivery without a commit: the message is the consumer's next one again.</summary>
    /// <exception cref="ObjectDisposedException">The delivery is closed.</exception>
    public void Abandon() => Reader.Abandon(_number);

    /// <summary>Abandons the message if the delivery is open. Safe twice.</summary>
    public void Dispose() => _reader?.CloseDelivery(_number);

    [DoesNotReturn]
    private static LogReader ThrowEmpty() =>
        throw new ObjectDisposedException("Delivery", "This delivery holds no message: nothing was read into it. Look at the result of TryRead first.");
}
