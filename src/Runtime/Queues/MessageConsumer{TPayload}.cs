using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// A consumer of a name. It reads messages in place; its cursor in the queue survives restarts and crashes. Serves one thread at a time; Dispose is
/// safe from any. Reading a message that is available allocates nothing.
/// </summary>
/// <remarks>
/// An exclusive consumer may read on while a delivery is open. The delivery is closed then and its message stays uncommitted, until
/// <see cref="CommitThrough"/>, or the commit of a later delivery, commits it. A member of a group has one message at a time.
/// </remarks>
/// <typeparam name="TPayload">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public sealed class MessageConsumer<TPayload> : IDisposable
    where TPayload : IQueuePayload<TPayload>, allows ref struct
{
    private readonly LogReader _reader;

    internal MessageConsumer(LogReader reader) => _reader = reader;

    /// <summary>The engine, for handlers of the services, which step through it as the loops do.</summary>
    internal LogReader Reader => _reader;

    /// <summary>Gets the cursor: the position, in bytes, of the next message that the name has not committed; of a group, of the next one that a member gets.</summary>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or cut.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    public long Position => _reader.GetPosition();

    /// <summary>Takes the next message, if there is one or one arrives in time.</summary>
    /// <param name="delivery">The message. Commit it, or put it into a <c>using</c> statement.</param>
    /// <param name="timeout">How long to wait; by default not at all. <see cref="Timeout.InfiniteTimeSpan"/> waits without a limit.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>False if no message arrived in that time.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative. A delivery that is open stays open.</exception>
    /// <exception cref="InvalidOperationException">A loop of this consumer is open, or it is a member of a group and has an open delivery.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    /// <exception cref="QueueCorruptedException">The next record is damaged.</exception>
    /// <exception cref="NotSupportedException">A later version wrote the next record.</exception>
    /// <exception cref="MessagesDeletedException">Retention deleted the next messages.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or cut.</exception>
    public bool TryRead(out Delivery<TPayload> delivery, TimeSpan timeout = default, CancellationToken cancellationToken = default)
    {
        var number = _reader.Read(timeout, cancellationToken);
        delivery = number == LogReader.NoDelivery ? default : new Delivery<TPayload>(_reader, number);
        return number != LogReader.NoDelivery;
    }

    /// <summary>Takes the next message; waits for it without holding a thread.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message. Commit it, or put it into a <c>using</c> statement.</returns>
    /// <inheritdoc cref="TryRead" path="/exception[not(@cref='T:System.ArgumentOutOfRangeException')]"/>
    public ValueTask<Delivery<TPayload>> ReadAsync(CancellationToken cancellationToken = default) => DeliveryReads.ReadAsync<TPayload>(_reader, cancellationToken);

    /// <summary>Waits, without holding a thread, until <see cref="TryRead"/> will take a message.</summary>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> waits without a limit.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>False if no message arrived in that time.</returns>
    /// <inheritdoc cref="TryRead" path="/exception"/>
    public ValueTask<bool> WaitToReadAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        _reader.WaitToReadAsync(timeout, cancellationToken);

    /// <summary>
    /// Loops over all messages, and waits when there is none. Each is committed when the loop asks for the next, or by
    /// <see cref="Delivery{TPayload}.Commit"/>; <c>break</c> abandons the last one unless it was committed.
    /// </summary>
    /// <param name="cancellationToken">Ends the loop by an <see cref="OperationCanceledException"/>.</param>
    public DeliveryLoop<TPayload> ReadAll(CancellationToken cancellationToken = default) => new(_reader, cancellationToken);

    /// <summary>Loops over all messages for <c>await foreach</c>, as <see cref="ReadAll"/> does; waits without holding a thread. A delivery may be held across awaits.</summary>
    /// <param name="cancellationToken">Ends the loop by an <see cref="OperationCanceledException"/>.</param>
    /// <inheritdoc cref="TryRead" path="/exception[not(@cref='T:System.ArgumentOutOfRangeException')]"/>
    public IAsyncEnumerable<Delivery<TPayload>> ReadAllAsync(CancellationToken cancellationToken = default) =>
        DeliveryReads.ReadAllAsync<TPayload>(_reader, cancellationToken);

    /// <summary>Commits the message at a position and every earlier one, as if each had been committed in turn. For an exclusive consumer that has read on.</summary>
    /// <param name="position">The position of a message that this consumer has read. A position that is committed already changes nothing.</param>
    /// <exception cref="ArgumentOutOfRangeException">This consumer has read no message at this position.</exception>
    /// <exception cref="InvalidOperationException">
    /// The consumer is a member of a group; or it is in a loop whose delivery is committed or abandoned; or another thread is using it.
    /// </exception>
    /// <exception cref="QueueCorruptedException">A record before the position is damaged.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or cut.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    public void CommitThrough(long position) => _reader.CommitThrough(position);

    /// <summary>Moves the name's cursor, so that another message is the next one. In a group this counts for all members.</summary>
    /// <param name="start">Where reading continues.</param>
    /// <returns>The cursor's position before.</returns>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="InvalidOperationException">A delivery or a loop of this consumer is open.</exception>
    /// <exception cref="QueueInUseException">A process has been changing the queue's tables, or opening the segment asked for, for 30 seconds, for example one that is stopped.</exception>
    /// <exception cref="QueueCorruptedException">A segment or the control file is damaged.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted, replaced or cut.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    public long Seek(QueueStart start) => _reader.Seek(start);

    /// <summary>
    /// Closes the consumer. An open delivery or loop closes it at its end, and a wait ends by an <see cref="ObjectDisposedException"/>.
    /// The name and its cursor stay in the queue. May be called more than once, and from any thread.
    /// </summary>
    public void Dispose() => _reader.Dispose();
}
