using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// One message of a queue, handed to one consumer or reader. The delivery can be stored, and held across an <c>await</c>; its view cannot.
/// It is open until it is committed or abandoned, or until its consumer reads on. After that, every member except <see cref="Dispose"/> throws.
/// Like its consumer, it serves one thread at a time.
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

    /// <summary>Gets the message, read in place in the mapped queue. The compiler prevents it from outliving the variable that holds the delivery.</summary>
    /// <exception cref="ObjectDisposedException">The delivery is closed.</exception>
    /// <exception cref="MalformedMessageException">The bytes are not a message of this type. <see cref="Commit"/> skips it.</exception>
    [UnscopedRef]
    public TPayload Message
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => TPayload.Open(Reader.Payload(_number));
    }

    /// <summary>Gets the message's position in the queue, in bytes.</summary>
    /// <exception cref="ObjectDisposedException">The delivery is closed.</exception>
    public long Position => Reader.PositionOf(_number);

    /// <summary>
    /// Gets whether the message may have been delivered before: to a consumer that died, to a member of a group that was closed before it committed the message, or to an exclusive consumer
    /// that read on and then was closed or moved its cursor.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The delivery is closed.</exception>
    public bool IsRedelivery => Reader.IsRedelivery(_number);

    /// <summary>Gets the id of the message. No other message, in any queue, ever has this id. Store it together with the effect of the message to recognize a redelivery.</summary>
    /// <exception cref="ObjectDisposedException">The delivery is closed.</exception>
    public MessageId Id => Reader.IdOf(_number);

    /// <summary>Gets the properties of the message, read in place. The compiler prevents them from outliving the variable that holds the delivery.</summary>
    /// <exception cref="ObjectDisposedException">The delivery is closed.</exception>
    /// <exception cref="QueueCorruptedException">The properties are damaged.</exception>
    [UnscopedRef]
    public DeliveryProperties Properties => new(Reader.Properties(_number));

    /// <summary>The position after the message's record.</summary>
    internal long End => Reader.EndOf(_number);

    private LogReader Reader
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _reader ?? ThrowEmpty();
    }

    /// <summary>
    /// Commits the message and closes the delivery. The cursor moves past the message, and past every earlier one that was read but not committed.
    /// A reader has no cursor in the queue, so this only closes its delivery.
    /// </summary>
    /// <exception cref="QueueCorruptedException">One of the earlier messages is damaged. Nothing is committed, and the delivery stays open.</exception>
    /// <exception cref="StaleQueueException">The files of the earlier messages were deleted or replaced. Nothing is committed, and the delivery stays open.</exception>
    /// <exception cref="ObjectDisposedException">The delivery is closed.</exception>
    public void Commit() => Reader.Commit(_number);

    /// <summary>Closes the delivery without committing the message, which becomes the consumer's next one again.</summary>
    /// <exception cref="ObjectDisposedException">The delivery is closed.</exception>
    public void Abandon() => Reader.Abandon(_number);

    /// <summary>Abandons the message if the delivery is open. May be called more than once.</summary>
    public void Dispose() => _reader?.CloseDelivery(_number);

    [DoesNotReturn]
    private static LogReader ThrowEmpty() =>
        throw new ObjectDisposedException("Delivery", "This delivery holds no message: nothing was read into it. Check the result of TryRead first.");
}
