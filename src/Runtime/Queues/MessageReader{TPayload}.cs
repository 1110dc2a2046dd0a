using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// Reads a queue without taking part in it: no name, no place among its producers and consumers, no permission to write. Every file of the queue stays as it
/// is, and nobody waits for the reader. So producers of a bounded queue, or retention, may overtake it, which it says by a
/// <see cref="MessagesDeletedException"/>. Messages of a durable queue are read in place, those of a bounded one in a copy that the reader keeps.
/// It looks for new messages every few milliseconds. Serves one thread at a time; Dispose is safe from any.
/// </summary>
/// <typeparam name="TPayload">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public sealed class MessageReader<TPayload> : IDisposable
    where TPayload : IQueuePayload<TPayload>, allows ref struct
{
    private readonly LogReader _reader;

    internal MessageReader(LogReader reader) => _reader = reader;

    /// <summary>The position, in bytes, of the next message to read.</summary>
    /// <exception cref="ObjectDisposedException">The reader is disposed.</exception>
    public long Position => _reader.GetPosition();

    /// <summary>Takes the next message, if there is one or comes in time. The delivery before it is closed.</summary>
    /// <param name="delivery">The message.</param>
    /// <param name="timeout">How long to wait; by default not at all. <see cref="Timeout.InfiniteTimeSpan"/> for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>False when there is none in that time.</returns>
    /// <exception cref="MessagesDeletedException">What came next is not in the queue any more. Go on with <see cref="Seek"/>.</exception>
    /// <exception cref="InvalidOperationException">A loop of this reader is open.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The reader is disposed.</exception>
    /// <exception cref="QueueCorruptedException">The next record is damaged.</exception>
    public bool TryRead(out Delivery<TPayload> delivery, TimeSpan timeout = default, CancellationToken cancellationToken = default)
    {
        var isRead = _reader.TryRead(timeout, cancellationToken, out var number);
        delivery = isRead ? new Delivery<TPayload>(_reader, number) : default;
        return isRead;
    }

    /// <summary>Loops over all messages, and waits when there is none.</summary>
    /// <param name="cancellationToken">Ends the loop by an <see cref="OperationCanceledException"/>.</param>
    public DeliveryLoop<TPayload> ReadAll(CancellationToken cancellationToken = default) => new(_reader, cancellationToken);

    /// <summary>As <see cref="ReadAll"/>, for <c>await foreach</c>: waits without holding a thread.</summary>
    /// <param name="cancellationToken">Ends the loop by an <see cref="OperationCanceledException"/>.</param>
    /// <inheritdoc cref="TryRead" path="/exception"/>
    public IAsyncEnumerable<Delivery<TPayload>> ReadAllAsync(CancellationToken cancellationToken = default) =>
        DeliveryReads.ReadAllAsync<TPayload>(_reader, cancellationToken);

    /// <summary>Goes on at another message.</summary>
    /// <param name="start">Where to go on.</param>
    /// <returns>The position where the reader stood before.</returns>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="InvalidOperationException">A delivery or a loop of this reader is open.</exception>
    /// <exception cref="ObjectDisposedException">The reader is disposed.</exception>
    public long Seek(QueueStart start) => _reader.Seek(start);

    /// <summary>Closes the reader; an open delivery or loop closes it when it is over. Safe twice, and from any thread.</summary>
    public void Dispose() => _reader.Dispose();
}
