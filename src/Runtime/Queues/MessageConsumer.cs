using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// A consumer of a name: messages, read in place. Its position is durable. Serves one thread at a time; Dispose is safe from any.
/// Reading allocates nothing.
/// </summary>
/// <typeparam name="TView">The generated view type.</typeparam>
public sealed class MessageConsumer<TView> : IDisposable
    where TView : IBufferedMessage<TView>, allows ref struct
{
    private readonly LogReader _reader;

    internal MessageConsumer(LogReader reader) => _reader = reader;

    /// <summary>Takes the next message if there is one.</summary>
    /// <param name="lease">The message; close it before the next call.</param>
    /// <returns>False when there is none.</returns>
    /// <exception cref="InvalidOperationException">A lease or a loop of this consumer is open.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    /// <exception cref="QueueCorruptedException">The next record is damaged.</exception>
    /// <exception cref="MessagesDeletedException">The queue's retention deleted what came next.</exception>
    public bool TryRead(out MessageLease<TView> lease)
    {
        var isTaken = _reader.TryLease(out var use);
        lease = isTaken ? new MessageLease<TView>(_reader, use) : default;
        return isTaken;
    }

    /// <summary>Takes the next message, and waits for it if need be.</summary>
    /// <param name="lease">The message; close it before the next call.</param>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>False when there was none in that time.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="TryRead(out MessageLease{TView})" path="/exception"/>
    public bool TryRead(out MessageLease<TView> lease, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        var isTaken = _reader.TryLease(timeout, cancellationToken, out var use);
        lease = isTaken ? new MessageLease<TView>(_reader, use) : default;
        return isTaken;
    }

    /// <summary>
    /// Waits for a message without holding a thread; then <c>TryRead</c> takes it. A member of a group has taken it already, and nobody
    /// else gets it.
    /// </summary>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>False when there was none in that time.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidOperationException">A lease or a loop of this consumer is open.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    /// <exception cref="QueueCorruptedException">The next record is damaged.</exception>
    public ValueTask<bool> WaitToReadAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        _reader.WaitAsync(timeout, cancellationToken);

    /// <summary>Moves the name to another message: the next one that it gets. In a group this counts for all members.</summary>
    /// <param name="start">Where to go on.</param>
    /// <returns>The position where the name stood before.</returns>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="InvalidOperationException">A lease or a loop of this consumer is open.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    public long Seek(QueueStart start) => _reader.Seek(start);

    /// <summary>
    /// Loops over all messages, and waits when there is none. Each is committed when the loop asks for the next;
    /// <c>break</c> leaves the last one uncommitted.
    /// </summary>
    /// <param name="cancellationToken">Ends the loop by an <see cref="OperationCanceledException"/>.</param>
    public MessageReadLoop<TView> ReadAll(CancellationToken cancellationToken = default) => new(_reader, cancellationToken);

    /// <summary>
    /// Closes the consumer; an open lease or loop closes it when it is over, and a waiting loop ends by an
    /// <see cref="ObjectDisposedException"/>. Its name and position stay in the queue. Safe twice, and from any thread.
    /// </summary>
    public void Dispose() => _reader.Dispose();
}
