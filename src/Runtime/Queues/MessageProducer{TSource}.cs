using BufferedMessages.Queues;
using BufferedMessages.Segments;

namespace BufferedMessages;

/// <summary>
/// A producer of messages. In a queue for one producer, a message without properties is written directly into the segment if it fits. Otherwise it is written to memory of the thread, and copied.
/// Serves one thread at a time; Dispose can be called from any thread. A <see cref="MessagePublisher{TSource}"/> serves all threads.
/// Publishing does not allocate, except in an asynchronous wait for room.
/// </summary>
/// <typeparam name="TSource">A type with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
public sealed class MessageProducer<TSource> : IDisposable
    where TSource : IBufferedMessageSource<TSource>
{
    private readonly LogWriter _writer;

    private readonly bool _isStamping;

    // Null if messages are not written in place.
    private readonly ExclusiveLogWriter? _inPlace;

    internal MessageProducer(LogWriter writer)
    {
        _writer = writer;
        _isStamping = writer.IsStamping;
        _inPlace = _isStamping ? null : writer as ExclusiveLogWriter;
    }

    /// <summary>Gets the maximum size of a message in bytes: a message must fit into one segment.</summary>
    public int MaxMessageBytes => _writer.MaxPayloadBytes;

    /// <summary>
    /// Publishes a message. Waits for room if the queue is full. In a queue for one producer, a message without properties is written in place if there is room.
    /// Otherwise it is written to memory of the thread, and copied when its size is known.
    /// </summary>
    /// <param name="source">The object. Other threads must not change it during the call, and its own code must not use the producer.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <returns>The message's position in the queue.</returns>
    /// <exception cref="ArgumentException">
    /// The source holds a value that a message cannot store, such as an unpaired surrogate; or a text of the properties is too long. Nothing was published.
    /// </exception>
    /// <exception cref="MessageTooLargeException">The message is larger than <see cref="MaxMessageBytes"/>.</exception>
    /// <exception cref="MessageTooDeepException">Messages are nested more than 64 deep, or contain themselves.</exception>
    /// <exception cref="UndeclaredCaseException">The type of an object in a union is not one of its declared cases.</exception>
    /// <exception cref="DuplicateKeyException">Two keys of a dictionary, or two elements of a set, have the same bytes.</exception>
    /// <exception cref="DiskFullException">The disk has no room for the next segment. Nothing was published; try again when space is free.</exception>
    /// <exception cref="FlushFailedException">The message is published, but the disk failed to store it.</exception>
    /// <exception cref="QueueCorruptedException">The newest segment, or the control file, is damaged. Nothing was published.</exception>
    /// <exception cref="UnauthorizedAccessException">The process is not permitted to create the next segment. Nothing was published.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted or replaced.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled. Nothing was published.</exception>
    /// <exception cref="InvalidOperationException">A claim is open, another thread or the object is using the producer, or the object's Write or CalculateSize returned an impossible number of bytes.</exception>
    /// <exception cref="ObjectDisposedException">The producer is disposed.</exception>
    public long Publish(TSource source, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        if (_inPlace is null || !TryPublishInPlace(_inPlace, source, out var position))
        {
            TryPublishCopy(source, out position, Timeout.InfiniteTimeSpan, properties: null, cancellationToken);
        }

        return position;
    }

    /// <summary>Publishes a message with properties. Waits for room if the queue is full.</summary>
    /// <param name="source">The object. Other threads must not change it during the call.</param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <inheritdoc cref="Publish(TSource, CancellationToken)"/>
    public long Publish(TSource source, MessageProperties? properties, CancellationToken cancellationToken = default)
    {
        TryPublish(source, out var position, Timeout.InfiniteTimeSpan, properties, cancellationToken);
        return position;
    }

    /// <summary>Publishes a message if the queue has room for it, or gets room within the timeout.</summary>
    /// <param name="source">The object. Other threads must not change it during the call.</param>
    /// <param name="position">The message's position in the queue.</param>
    /// <param name="timeout">How long to wait for room. By default, the call does not wait.</param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <returns>False if the queue stayed full. Nothing was published.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative.</exception>
    /// <inheritdoc cref="Publish(TSource, CancellationToken)" path="/exception"/>
    public bool TryPublish(TSource source, out long position, TimeSpan timeout = default, MessageProperties? properties = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        WaitLadder.RequireTimeout(timeout);
        return (properties is null && _inPlace is not null && TryPublishInPlace(_inPlace, source, out position))
            || TryPublishCopy(source, out position, timeout, properties, cancellationToken);
    }

    /// <summary>Publishes a message, waiting for room without blocking a thread.</summary>
    /// <param name="source">The object. It must not change until the task completes.</param>
    /// <param name="timeout">How long to wait for room; <see cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <exception cref="TimeoutException">The queue stayed full. Nothing was published.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative.</exception>
    /// <inheritdoc cref="Publish(TSource, CancellationToken)"/>
    public async ValueTask<long> PublishAsync(TSource source, TimeSpan timeout, MessageProperties? properties = null, CancellationToken cancellationToken = default)
    {
        var wait = new RoomWait(_writer, timeout);
        long position;
        while (!TryPublish(source, out position, TimeSpan.Zero, properties, cancellationToken))
        {
            await wait.WaitAsync(cancellationToken).ConfigureAwait(false);
        }

        return position;
    }

    /// <inheritdoc cref="PublishAsync(TSource, TimeSpan, MessageProperties, CancellationToken)"/>
    public ValueTask<long> PublishAsync(TSource source, CancellationToken cancellationToken = default) =>
        PublishAsync(source, Timeout.InfiniteTimeSpan, properties: null, cancellationToken);

    /// <summary>
    /// Publishes many messages as one batch: consumers see all of them at once, or none, even if this process dies. Waits for room if the queue is full.
    /// </summary>
    /// <param name="sources">The objects. Other threads must not change them during the call. All messages of a batch together must fit into one segment.</param>
    /// <param name="properties">Properties to store with each message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <returns>The position of the first message. The others follow it without a gap. 0, which is never the position of a message, if there are no sources.</returns>
    /// <exception cref="MessageTooLargeException">The messages do not fit into one segment. Nothing was published: publish them in several batches.</exception>
    /// <exception cref="FlushFailedException">The messages are published, but the disk failed to store them.</exception>
    /// <inheritdoc cref="Publish(TSource, CancellationToken)" path="/exception[not(@cref='T:BufferedMessages.MessageTooLargeException' or @cref='T:BufferedMessages.FlushFailedException')]"/>
    public long PublishAll(ReadOnlySpan<TSource> sources, MessageProperties? properties = null, CancellationToken cancellationToken = default)
    {
        TryPublishAll(sources, out var position, Timeout.InfiniteTimeSpan, properties, cancellationToken);
        return position;
    }

    /// <summary>Publishes many messages as one batch if the queue has room for all of them, or gets room within the timeout.</summary>
    /// <param name="sources">The objects. Other threads must not change them during the call. All messages of a batch together must fit into one segment.</param>
    /// <param name="position">The position of the first message; 0 if there are no sources.</param>
    /// <param name="timeout">How long to wait for room. By default, the call does not wait.</param>
    /// <param name="properties">Properties to store with each message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <returns>False if the queue stayed full. Nothing was published.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative.</exception>
    /// <inheritdoc cref="PublishAll" path="/exception"/>
    public bool TryPublishAll(ReadOnlySpan<TSource> sources, out long position, TimeSpan timeout = default, MessageProperties? properties = null, CancellationToken cancellationToken = default)
    {
        WaitLadder.RequireTimeout(timeout);
        position = 0;
        var use = _writer.EnterBatch();
        try
        {
            if (sources.IsEmpty)
            {
                return true;
            }

            var propertyBytes = _writer.EncodeBatchProperties(properties);
            var batch = _writer.ReserveBatch(use, RecordBytes(sources, propertyBytes), timeout, cancellationToken);
            if (!batch.IsOpen)
            {
                return false;
            }

            foreach (var source in sources)
            {
                var room = _writer.NextPayload(in batch, propertyBytes);
                var bytes = source.Write(room);
                WrittenBytes.Require<TSource>(bytes, room.Length);
                _writer.Append(ref batch, bytes, propertyBytes);
            }

            position = _writer.Publish(ref batch);
            return true;
        }
        finally
        {
            _writer.Abandon(use);
        }
    }

    /// <summary>Publishes many messages as one batch, waiting for room without blocking a thread.</summary>
    /// <param name="sources">The objects. They must not change until the task completes.</param>
    /// <param name="timeout">How long to wait for room; <see cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="properties">Properties to store with each message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <exception cref="TimeoutException">The queue stayed full. Nothing was published.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative.</exception>
    /// <inheritdoc cref="PublishAll"/>
    public async ValueTask<long> PublishAllAsync(ReadOnlyMemory<TSource> sources, TimeSpan timeout, MessageProperties? properties = null, CancellationToken cancellationToken = default)
    {
        var wait = new RoomWait(_writer, timeout);
        long position;
        while (!TryPublishAll(sources.Span, out position, TimeSpan.Zero, properties, cancellationToken))
        {
            await wait.WaitAsync(cancellationToken).ConfigureAwait(false);
        }

        return position;
    }

    /// <inheritdoc cref="PublishAllAsync(ReadOnlyMemory{TSource}, TimeSpan, MessageProperties, CancellationToken)"/>
    public ValueTask<long> PublishAllAsync(ReadOnlyMemory<TSource> sources, CancellationToken cancellationToken = default) =>
        PublishAllAsync(sources, Timeout.InfiniteTimeSpan, properties: null, cancellationToken);

    /// <summary>
    /// Claims room in the queue to write a message in place, without an object. Waits for room if the queue is full. A claim that is disposed without a
    /// commit becomes padding. While the claim is open, this producer cannot publish other messages, and consumers wait at the
    /// claimed record.
    /// </summary>
    /// <typeparam name="TWriter">The generated writer type of <typeparamref name="TSource"/>.</typeparam>
    /// <param name="maxBytes">
    /// The maximum number of bytes that the message may need, at least <see cref="MessageBuilder{TWriter}.MinMessageBytes"/>. Unused bytes are given back in a queue for one
    /// producer, and become padding in a queue for many.
    /// </param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <exception cref="ArgumentOutOfRangeException">The number of bytes is less than <see cref="MessageBuilder{TWriter}.MinMessageBytes"/>.</exception>
    /// <exception cref="ArgumentException">A text of the properties is too long.</exception>
    /// <exception cref="InvalidOperationException">A claim is open, or another thread is using the producer.</exception>
    /// <inheritdoc cref="Publish(TSource, CancellationToken)" path="/exception[not(@cref='T:System.ArgumentException' or @cref='T:BufferedMessages.MessageTooDeepException' or @cref='T:BufferedMessages.UndeclaredCaseException' or @cref='T:BufferedMessages.DuplicateKeyException' or @cref='T:BufferedMessages.FlushFailedException' or @cref='T:System.InvalidOperationException')]"/>
    public MessageClaim<TWriter> Claim<TWriter>(int maxBytes, MessageProperties? properties = null, CancellationToken cancellationToken = default)
        where TWriter : IBufferedMessageWriterOf<TWriter, TSource>, allows ref struct
        => new(_writer, maxBytes, Timeout.InfiniteTimeSpan, properties, cancellationToken);

    /// <summary>Claims room in the queue for a message that is written in place, if room is available, or becomes available within the timeout.</summary>
    /// <typeparam name="TWriter">The generated writer type of <typeparamref name="TSource"/>.</typeparam>
    /// <param name="maxBytes">The maximum number of bytes that the message may need, at least <see cref="MessageBuilder{TWriter}.MinMessageBytes"/>.</param>
    /// <param name="claim">The room; commit or dispose it.</param>
    /// <param name="timeout">How long to wait for room. By default, the call does not wait.</param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <returns>False if the queue stayed full.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The number of bytes is less than <see cref="MessageBuilder{TWriter}.MinMessageBytes"/>, or the timeout is negative.</exception>
    /// <exception cref="ArgumentException">A text of the properties is too long.</exception>
    /// <exception cref="InvalidOperationException">A claim is open, or another thread is using the producer.</exception>
    /// <inheritdoc cref="Publish(TSource, CancellationToken)" path="/exception[not(@cref='T:System.ArgumentException' or @cref='T:BufferedMessages.MessageTooDeepException' or @cref='T:BufferedMessages.UndeclaredCaseException' or @cref='T:BufferedMessages.DuplicateKeyException' or @cref='T:BufferedMessages.FlushFailedException' or @cref='T:System.InvalidOperationException')]"/>
    public bool TryClaim<TWriter>(int maxBytes, out MessageClaim<TWriter> claim, TimeSpan timeout = default, MessageProperties? properties = null, CancellationToken cancellationToken = default)
        where TWriter : IBufferedMessageWriterOf<TWriter, TSource>, allows ref struct
    {
        claim = new MessageClaim<TWriter>(_writer, maxBytes, timeout, properties, cancellationToken);
        return claim.IsOpen;
    }

    /// <summary>Closes the producer. If a claim is open, the producer closes when the claim ends. Published messages stay in the queue. May be called more than once, and from any thread.</summary>
    public void Dispose() => _writer.Dispose();

    /// <summary>Publishes a message by writing it directly into the queue's memory, if room is at hand.</summary>
    private static bool TryPublishInPlace(ExclusiveLogWriter writer, TSource source, out long position)
    {
        position = 0;
        var room = writer.BeginInPlace(out var use);
        if (room.IsEmpty)
        {
            return false;
        }

        int bytes;
        try
        {
            bytes = source.Write(room);
            WrittenBytes.Require<TSource>(bytes, room.Length);
        }
        catch (ArgumentException)
        {
            // The room is too small; or a message cannot store the source, which is refused when it is written again.
            writer.RefuseInPlace(use, room.Length);
            return false;
        }
        catch
        {
            writer.Abandon(use);
            throw;
        }

        position = writer.CommitInPlace(bytes);
        return true;
    }

    // The message is written in memory of the thread: its size is known then, and the reserved record is soon published.
    private bool TryPublishCopy(TSource source, out long position, TimeSpan timeout, MessageProperties? properties, CancellationToken cancellationToken)
    {
        using var message = ScratchMessage.Of(source);
        return properties is null && !_isStamping
            ? _writer.TryPublish(message.Bytes, out position, timeout, cancellationToken)
            : _writer.TryPublish(message.Bytes, out position, timeout, properties, cancellationToken);
    }

    private static long RecordBytes(ReadOnlySpan<TSource> sources, int propertyBytes)
    {
        var bytes = 0L;
        foreach (var source in sources)
        {
            ArgumentNullException.ThrowIfNull(source, nameof(sources));
            var payloadBytes = source.CalculateSize();
            WrittenBytes.RequireSize<TSource>(payloadBytes);
            bytes += RecordWord.RecordBytes(payloadBytes, propertyBytes);
        }

        return bytes;
    }
}
