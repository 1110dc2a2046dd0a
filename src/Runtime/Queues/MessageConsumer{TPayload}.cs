using System.Runtime.CompilerServices;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// A consumer of a name: messages, read in place. Its position in the queue survives restarts and crashes. Serves one thread at a time; Dispose is
/// safe from any. Reading a message that is there allocates nothing.
/// </summary>
/// <remarks>
/// An exclusive consumer may read on while a delivery is open: the delivery is closed then, its message stays uncommitted, and
/// <see cref="CommitThrough"/>, or the commit of a later delivery, commits it. A member of a group has one message at a time.
/// </remarks>
/// <typeparam name="TPayload">A generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
public sealed class MessageConsumer<TPayload> : IDisposable
    where TPayload : IQueuePayload<TPayload>, allows ref struct
{
    private readonly LogReader _reader;

    internal MessageConsumer(LogReader reader) => _reader = reader;

    /// <summary>The position, in bytes, of the next message that the name has not committed; of a group, of the next one that a member gets.</summary>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    public long Position => _reader.GetPosition();

    /// <summary>Takes the next message, if there is one or comes in time.</summary>
    /// <param name="delivery">The message. Commit it, or put it into a <c>using</c> statement.</param>
    /// <param name="timeout">How long to wait; by default not at all. <see cref="Timeout.InfiniteTimeSpan"/> for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>False when there is none in that time.</returns>
    /// <exception cref="InvalidOperationException">A loop of this consumer is open, or the delivery of a member of a group.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    /// <exception cref="QueueCorruptedException">The next record is damaged.</exception>
    /// <exception cref="MessagesDeletedException">The queue's retention deleted what came next.</exception>
    public bool TryRead(out Delivery<TPayload> delivery, TimeSpan timeout = default, CancellationToken cancellationToken = default)
    {
        var isRead = _reader.TryRead(timeout, cancellationToken, out var number);
        delivery = isRead ? new Delivery<TPayload>(_reader, number) : default;
        return isRead;
    }

    /// <summary>Takes the next message; waits for it without holding a thread.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message. Commit it, or put it into a <c>using</c> statement.</returns>
    /// <inheritdoc cref="TryRead" path="/exception"/>
    public ValueTask<Delivery<TPayload>> ReadAsync(CancellationToken cancellationToken = default) => DeliveryReads.ReadAsync<TPayload>(_reader, cancellationToken);

    /// <summary>Waits, without holding a thread, until <see cref="TryRead"/> will take a message.</summary>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> for ever.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>False when there is none in that time.</returns>
    /// <inheritdoc cref="TryRead" path="/exception"/>
    public ValueTask<bool> WaitToReadAsync(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        _reader.WaitToReadAsync(timeout, cancellationToken);

    /// <summary>
    /// Loops over all messages, and waits when there is none. Each is committed when the loop asks for the next, or by
    /// <see cref="Delivery{TPayload}.Commit"/>; <c>break</c> abandons the last one unless it was committed.
    /// </summary>
    /// <param name="cancellationToken">Ends the loop by an <see cref="OperationCanceledException"/>.</param>
    public DeliveryLoop<TPayload> ReadAll(CancellationToken cancellationToken = default) => new(_reader, cancellationToken);

    /// <summary>As <see cref="ReadAll"/>, for <c>await foreach</c>: waits without holding a thread. A delivery may be held across awaits.</summary>
    /// <param name="cancellationToken">Ends the loop by an <see cref="OperationCanceledException"/>.</param>
    /// <inheritdoc cref="TryRead" path="/exception"/>
    public IAsyncEnumerable<Delivery<TPayload>> ReadAllAsync(CancellationToken cancellationToken = default) =>
        DeliveryReads.ReadAllAsync<TPayload>(_reader, cancellationToken);

    /// <summary>
    /// Commits the message at a position and every earlier one. For an exclusive consumer that has read on: it is as if each had been committed in its turn.
    /// </summary>
    /// <param name="position">The position of a message that this consumer has read. One that is committed already changes nothing.</param>
    /// <exception cref="ArgumentOutOfRangeException">This consumer has read no message at this position.</exception>
    /// <exception cref="InvalidOperationException">The consumer is a member of a group, or another thread is using it.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    public void CommitThrough(long position) => _reader.CommitThrough(position);

    /// <summary>Moves the name to another message: the next one that it gets. In a group this counts for all members.</summary>
    /// <param name="start">Where to go on.</param>
    /// <returns>The position where the name stood before.</returns>
    /// <exception cref="ArgumentOutOfRangeException">No message starts at the position asked for.</exception>
    /// <exception cref="InvalidOperationException">A delivery or a loop of this consumer is open.</exception>
    /// <exception cref="ObjectDisposedException">The consumer is disposed.</exception>
    public long Seek(QueueStart start) => _reader.Seek(start);

    /// <summary>
    /// Closes the consumer; an open delivery or loop closes it when it is over, and a waiting one ends by an
    /// <see cref="ObjectDisposedException"/>. Its name and position stay in the queue. Safe twice, and from any thread.
    /// </summary>
    public void Dispose() => _reader.Dispose();
}
