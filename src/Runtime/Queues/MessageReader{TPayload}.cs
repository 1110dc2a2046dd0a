using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// A reader of a queue that takes no part in it: it has no name, is not among its producers and consumers, and needs no permission to write. It changes no
/// file of the queue and holds up no participant. So producers of a bounded queue, or retention, may overtake it; it reports that by a
/// <see cref="MessagesDeletedException"/>. Messages of a durable queue are read in place, those of a bounded one in a copy that the reader keeps.
/// It checks for new messages every few milliseconds. Serves one thread at a time; Dispose is safe from any.
/// </summary>
/// <typeparam name="TPayload">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public sealed class MessageReader<TPayload> : IDisposable
    where TPayload : IQueuePayload<TPayload>, allows ref struct
{
    private readonly ObservingReader _reader;

    internal MessageReader(ObservingReader reader) => _reader = reader;

    /// <summary>Gets the position, in bytes, of the next message to read.</summary>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or cut.</exception>
    /// <exception cref="ObjectDisposedException">The reader is disposed.</exception>
    public long Position => _reader.GetPosition();

    /// <summary>Takes the next message, if there is one or one arrives in time. The delivery before it is closed.</summary>
    /// <param name="delivery">The message.</param>
    /// <param name="timeout">How long to wait; by default not at all. <see cref="Timeout.InfiniteTimeSpan"/> waits without a limit.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>False if no message arrived in that time.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative. A delivery that is open stays open.</exception>
    /// <exception cref="MessagesDeletedException">The next messages are not in the queue any more. Continue with <see cref="Seek"/>.</exception>
    /// <exception cref="InvalidOperationException">A loop of this reader is open.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The reader is disposed.</exception>
    /// <exception cref="SchemaMismatchException">The content of the queue was decided after the reader was opened, and is another one.</exception>
    /// <exception cref="QueueCorruptedException">The next record is damaged.</exception>
    /// <exception cref="NotSupportedException">A later version wrote the next record.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or cut.</exception>
    public bool TryRead(out Delivery<TPayload> delivery, TimeSpan timeout = default, CancellationToken cancellationToken = default)
    {
        var number = _reader.Read(timeout, cancellationToken);
        delivery = number == LogReader.NoDelivery ? default : new Delivery<TPayload>(_reader, number);
        return number != LogReader.NoDelivery;
    }

    /// <summary>Loops over all messages, and waits when there is none.</summary>
    /// <param name="cancellationToken">Ends the loop by an <see cref="OperationCanceledException"/>.</param>
    public DeliveryLoop<TPayload> ReadAll(CancellationToken cancellationToken = default) => new(_reader, cancellationToken);

    /// <summary>Loops over all messages for <c>await foreach</c>, as <see cref="ReadAll"/> does; waits without holding a thread.</summary>
    /// <param name="cancellationToken">Ends the loop by an <see cref="OperationCanceledException"/>.</param>
    /// <inheritdoc cref="TryRead" path="/exception[not(@cref='T:System.ArgumentOutOfRangeException')]"/>
    public IAsyncEnumerable<Delivery<TPayload>> ReadAllAsync(CancellationToken cancellationToken = default) =>
        DeliveryReads.ReadAllAsync<TPayload>(_reader, cancellationToken);

    /// <summary>Moves the reader to another message.</summary>
    /// <param name="start">Where reading continues.</param>
    /// <returns>The reader's position before.</returns>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="InvalidOperationException">A delivery or a loop of this reader is open.</exception>
    /// <exception cref="QueueCorruptedException">A segment or the control file is damaged.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or cut.</exception>
    /// <exception cref="ObjectDisposedException">The reader is disposed.</exception>
    public long Seek(QueueStart start) => _reader.Seek(start);

    /// <inheritdoc cref="ObservingReader.TryPassUnfinished"/>
    internal bool TryPassUnfinished() => _reader.TryPassUnfinished();

    /// <summary>Closes the reader. An open delivery or loop closes it at its end. May be called more than once, and from any thread.</summary>
    public void Dispose() => _reader.Dispose();
}
