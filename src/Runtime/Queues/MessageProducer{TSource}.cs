using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// A producer of messages: an object is written straight into the mapped queue. Serves one thread at a time, and Dispose is
/// safe from any; a <see cref="MessagePublisher{TSource}"/> serves all threads. Publishing allocates nothing, except in an asynchronous wait for room.
/// </summary>
/// <typeparam name="TSource">A type with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
public sealed class MessageProducer<TSource> : IDisposable
    where TSource : IBufferedMessageSource<TSource>
{
    private readonly LogWriter _writer;

    internal MessageProducer(LogWriter writer) => _writer = writer;

    /// <summary>The largest message in bytes: what a segment of this queue holds.</summary>
    public int MaxMessageBytes => _writer.MaxPayloadBytes;

    /// <summary>
    /// Calculates the size, claims that much of the queue, writes the message in place and publishes it. Waits for room in a queue that is full.
    /// </summary>
    /// <param name="source">Not to be changed by other threads meanwhile: that is noticed, and then nothing is published.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <returns>The message's position in the queue.</returns>
    /// <exception cref="ArgumentException">The source was changed while it was written. Nothing was published.</exception>
    /// <exception cref="MessageTooLargeException">It is larger than <see cref="MaxMessageBytes"/>.</exception>
    /// <exception cref="MessageTooDeepException">Messages are nested more than 64 deep, or contain themselves.</exception>
    /// <exception cref="DiskFullException">There is no room for the next segment. Nothing was published; try again when there is.</exception>
    /// <exception cref="FlushFailedException">The message is published, but the disk failed to keep it.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled. Nothing was published.</exception>
    /// <exception cref="InvalidOperationException">A claim is open, or another thread is using the producer.</exception>
    /// <exception cref="ObjectDisposedException">The producer is disposed.</exception>
    public long Publish(TSource source, CancellationToken cancellationToken = default)
    {
        TryPublish(source, out var position, Timeout.InfiniteTimeSpan, cancellationToken);
        return position;
    }

    /// <summary>Publishes a message if the queue has room for it, or gets some in time.</summary>
    /// <param name="source">Not to be changed by other threads meanwhile.</param>
    /// <param name="position">The message's position in the queue.</param>
    /// <param name="timeout">How long to wait for room; by default not at all.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <returns>False when the queue stayed full. Nothing was published.</returns>
    /// <inheritdoc cref="Publish" path="/exception"/>
    public bool TryPublish(TSource source, out long position, TimeSpan timeout = default, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        using var claim = new MessageClaim(_writer, check: null, source.CalculateSize(), timeout, cancellationToken);
        position = claim.IsOpen ? claim.Commit(source.Write(claim.Span)) : 0;
        return claim.IsOpen;
    }

    /// <summary>Publishes a message; waits for room without holding a thread.</summary>
    /// <param name="source">Not to be changed until the task is complete.</param>
    /// <param name="timeout">How long to wait for room; <see cref="Timeout.InfiniteTimeSpan"/> for ever.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <exception cref="TimeoutException">The queue stayed full. Nothing was published.</exception>
    /// <inheritdoc cref="Publish"/>
    public async ValueTask<long> PublishAsync(TSource source, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        var wait = new RoomWait(_writer, timeout);
        long position;
        while (!TryPublish(source, out position, TimeSpan.Zero, cancellationToken))
        {
            await wait.WaitAsync(cancellationToken).ConfigureAwait(false);
        }

        return position;
    }

    /// <inheritdoc cref="PublishAsync(TSource, TimeSpan, CancellationToken)"/>
    public ValueTask<long> PublishAsync(TSource source, CancellationToken cancellationToken = default) =>
        PublishAsync(source, Timeout.InfiniteTimeSpan, cancellationToken);

    /// <summary>
    /// Claims room in the queue and writes a message there in place, without an object; waits for room in a queue that is full. Commit it; a
    /// claim that is disposed without leaves nothing that consumers see. Nothing else can be published by this producer until then, and
    /// consumers wait at it.
    /// </summary>
    /// <typeparam name="TWriter">The generated writer type of <typeparamref name="TSource"/>.</typeparam>
    /// <param name="maxBytes">
    /// The most the message may need, at least <see cref="MessageBuilder{TWriter}.MinMessageBytes"/>. What is not used is given back where the
    /// queue has one producer, and skipped where it has many.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <inheritdoc cref="Publish" path="/exception"/>
    public MessageClaim<TWriter> Claim<TWriter>(int maxBytes, CancellationToken cancellationToken = default)
        where TWriter : IBufferedMessageWriterOf<TWriter, TSource>, allows ref struct
        => new(_writer, maxBytes, Timeout.InfiniteTimeSpan, cancellationToken);

    /// <summary>Claims room in the queue for a message that is written in place, if it has some, or gets some in time.</summary>
    /// <typeparam name="TWriter">The generated writer type of <typeparamref name="TSource"/>.</typeparam>
    /// <param name="maxBytes">The most the message may need, at least <see cref="MessageBuilder{TWriter}.MinMessageBytes"/>.</param>
    /// <param name="claim">The room; commit or dispose it.</param>
    /// <param name="timeout">How long to wait for room; by default not at all.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <returns>False when the queue stayed full.</returns>
    /// <inheritdoc cref="Publish" path="/exception"/>
    public bool TryClaim<TWriter>(int maxBytes, out MessageClaim<TWriter> claim, TimeSpan timeout = default, CancellationToken cancellationToken = default)
        where TWriter : IBufferedMessageWriterOf<TWriter, TSource>, allows ref struct
    {
        claim = new MessageClaim<TWriter>(_writer, maxBytes, timeout, cancellationToken);
        return claim.IsOpen;
    }

    /// <summary>Closes the producer; an open claim closes it when it is over. What is published stays. Safe twice, and from any thread.</summary>
    public void Dispose() => _writer.Dispose();
}
