using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// A reader that takes no part in the queue: it has no name, is not one of the queue's participants, and needs no permission to write. It changes no
/// file of the queue and holds up no participant. Producers of a bounded queue, or retention, can therefore overtake it, which it reports with a
/// <see cref="MessagesDeletedException"/>. It reads the messages of a durable queue in place, and those of a bounded queue in a copy that it keeps.
/// It checks for new messages every few milliseconds. Serves one thread at a time; Dispose can be called from any thread.
/// </summary>
/// <typeparam name="TPayload">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public sealed class MessageReader<TPayload> : IDisposable
    where TPayload : IQueuePayload<TPayload>, allows ref struct
{
    private readonly ObservingReader _reader;

    internal MessageReader(ObservingReader reader) => _reader = reader;

    /// <summary>Gets the position, in bytes, of the next message to read.</summary>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or truncated.</exception>
    /// <exception cref="ObjectDisposedException">The reader is disposed.</exception>
    public long Position => _reader.GetPosition();

    /// <summary>Takes the next message if one is available, or arrives within the timeout. This closes the previous delivery.</summary>
    /// <param name="delivery">The message.</param>
    /// <param name="timeout">How long to wait. By default, the call does not wait. <see cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>False if no message arrived within the timeout.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative. An open delivery stays open.</exception>
    /// <exception cref="MessagesDeletedException">The next messages are no longer in the queue. Continue with <see cref="Seek"/>.</exception>
    /// <exception cref="InvalidOperationException">A loop of this reader is open.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The reader is disposed.</exception>
    /// <exception cref="SchemaMismatchException">The queue's content was decided after the reader was opened, and is not that of the reader.</exception>
    /// <exception cref="QueueCorruptedException">The next record is damaged.</exception>
    /// <exception cref="NotSupportedException">A later version wrote the next record.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or truncated.</exception>
    public bool TryRead(out Delivery<TPayload> delivery, TimeSpan timeout = default, CancellationToken cancellationToken = default)
    {
        var number = _reader.Read(timeout, cancellationToken);
        delivery = number == LogReader.NoDelivery ? default : new Delivery<TPayload>(_reader, number);
        return number != LogReader.NoDelivery;
    }

    /// <summary>Loops over all messages, waiting while none is available.</summary>
    /// <param name="cancellationToken">Ends the loop with an <see cref="OperationCanceledException"/>.</param>
    public DeliveryLoop<TPayload> ReadAll(CancellationToken cancellationToken = default) => new(_reader, cancellationToken);

    /// <summary>Loops over all messages for <c>await foreach</c>, as <see cref="ReadAll"/> does, waiting without blocking a thread.</summary>
    /// <param name="cancellationToken">Ends the loop with an <see cref="OperationCanceledException"/>.</param>
    /// <inheritdoc cref="TryRead" path="/exception[not(@cref='T:System.ArgumentOutOfRangeException')]"/>
    public IAsyncEnumerable<Delivery<TPayload>> ReadAllAsync(CancellationToken cancellationToken = default) =>
        DeliveryReads.ReadAllAsync<TPayload>(_reader, cancellationToken);

    /// <summary>Moves the reader to another message.</summary>
    /// <param name="start">Where reading continues.</param>
    /// <returns>The previous position of the reader.</returns>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="InvalidOperationException">A delivery or a loop of this reader is open.</exception>
    /// <exception cref="QueueCorruptedException">A segment or the control file is damaged.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or truncated.</exception>
    /// <exception cref="ObjectDisposedException">The reader is disposed.</exception>
    public long Seek(QueueStart start) => _reader.Seek(start);

    /// <inheritdoc cref="ObservingReader.TryPassUnfinished"/>
    internal bool TryPassUnfinished() => _reader.TryPassUnfinished();

    /// <summary>Closes the reader. If a delivery or loop is open, the reader closes when that ends. May be called more than once, and from any thread.</summary>
    public void Dispose() => _reader.Dispose();
}
