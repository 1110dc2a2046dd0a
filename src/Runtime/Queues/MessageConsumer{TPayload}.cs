using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// A named consumer, which reads messages in place. The name's cursor is stored in the queue, and survives restarts and crashes.
/// Serves one thread at a time; Dispose can be called from any thread. Reading a message that is available does not allocate.
/// </summary>
/// <remarks>
/// An exclusive consumer may read on while a delivery is open. This closes the delivery and leaves its message uncommitted, until
/// <see cref="CommitThrough"/>, or the commit of a later delivery, commits it. A member of a group has one message at a time.
/// </remarks>
/// <typeparam name="TPayload">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public sealed class MessageConsumer<TPayload> : IDisposable
    where TPayload : IQueuePayload<TPayload>, allows ref struct
{
    private readonly LogReader _reader;

    internal MessageConsumer(LogReader reader) => _reader = reader;

    /// <summary>The engine of the consumer. The handlers of Hosting step through it as the loops do.</summary>
    internal LogReader Reader => _reader;

    /// <summary>Gets the cursor: the position, in bytes, of the next message that the name has not committed. For a group, it is the position of the next message that a member gets.</summary>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or truncated.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    public long Position => _reader.GetPosition();

    /// <summary>Takes the next message if one is available, or arrives within the timeout.</summary>
    /// <param name="delivery">The message. Commit it, or declare it with <c>using</c>.</param>
    /// <param name="timeout">How long to wait. By default, the call does not wait. <see cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>False if no message arrived within the timeout.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative. An open delivery stays open.</exception>
    /// <exception cref="InvalidOperationException">A loop of this consumer is open, or the consumer is a member of a group and has an open delivery.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    /// <exception cref="QueueCorruptedException">The next record is damaged.</exception>
    /// <exception cref="NotSupportedException">A later version wrote the next record.</exception>
    /// <exception cref="MessagesDeletedException">Retention deleted the next messages.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or truncated.</exception>
    public bool TryRead(out Delivery<TPayload> delivery, TimeSpan timeout = default, CancellationToken cancellationToken = default)
    {
        var number = _reader.Read(timeout, cancellationToken);
        delivery = number == LogReader.NoDelivery ? default : new Delivery<TPayload>(_reader, number);
        return number != LogReader.NoDelivery;
    }

    /// <summary>Takes the next message, waiting for it without blocking a thread.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The message. Commit it, or declare it with <c>using</c>.</returns>
    /// <inheritdoc cref="TryRead" path="/exception[not(@cref='T:System.ArgumentOutOfRangeException')]"/>
    public ValueTask<Delivery<TPayload>> ReadAsync(CancellationToken cancellationToken = default) => DeliveryReads.ReadAsync<TPayload>(_reader, cancellationToken);

    /// <summary>Waits, without blocking a thread, until <see cref="TryRead"/> will take a message.</summary>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>False if no message arrived within the timeout.</returns>
    /// <inheritdoc cref="TryRead" path="/exception"/>
    public ValueTask<bool> WaitToReadAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        _reader.WaitToReadAsync(timeout, cancellationToken);

    /// <summary>
    /// Loops over all messages, waiting while none is available. A message is committed when the loop moves to the next one, or by
    /// <see cref="Delivery{TPayload}.Commit"/>. A <c>break</c> abandons the current message unless it was committed.
    /// </summary>
    /// <param name="cancellationToken">Ends the loop with an <see cref="OperationCanceledException"/>.</param>
    public DeliveryLoop<TPayload> ReadAll(CancellationToken cancellationToken = default) => new(_reader, cancellationToken);

    /// <summary>Loops over all messages for <c>await foreach</c>, as <see cref="ReadAll"/> does, waiting without blocking a thread. A delivery can be held across awaits.</summary>
    /// <param name="cancellationToken">Ends the loop with an <see cref="OperationCanceledException"/>.</param>
    /// <inheritdoc cref="TryRead" path="/exception[not(@cref='T:System.ArgumentOutOfRangeException')]"/>
    public IAsyncEnumerable<Delivery<TPayload>> ReadAllAsync(CancellationToken cancellationToken = default) =>
        DeliveryReads.ReadAllAsync<TPayload>(_reader, cancellationToken);

    /// <summary>Commits the message at a position and every earlier one, as if each had been committed in turn. For an exclusive consumer that has read on.</summary>
    /// <param name="position">The position of a message that this consumer has read. If it is already committed, nothing changes.</param>
    /// <exception cref="ArgumentOutOfRangeException">This consumer has read no message at this position.</exception>
    /// <exception cref="InvalidOperationException">
    /// The consumer is a member of a group; or it is in a loop whose delivery is committed or abandoned; or another thread is using it.
    /// </exception>
    /// <exception cref="QueueCorruptedException">A record before the position is damaged.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or truncated.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    public void CommitThrough(long position) => _reader.CommitThrough(position);

    /// <summary>Moves the name's cursor to another message, which becomes the next one. In a group, this applies to all members.</summary>
    /// <param name="start">Where reading continues.</param>
    /// <returns>The previous position of the cursor.</returns>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="InvalidOperationException">A delivery or a loop of this consumer is open.</exception>
    /// <exception cref="QueueInUseException">A process has been changing the queue's tables, or opening the segment asked for, for 30 seconds, for example because it is suspended.</exception>
    /// <exception cref="QueueCorruptedException">A segment or the control file is damaged.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or truncated.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    public long Seek(QueueStart start) => _reader.Seek(start);

    /// <summary>
    /// Closes the consumer. If a delivery or loop is open, the consumer closes when that ends. A wait ends with an <see cref="ObjectDisposedException"/>.
    /// The name and its cursor stay in the queue. May be called more than once, and from any thread.
    /// </summary>
    public void Dispose() => _reader.Dispose();
}
