using System.Runtime.CompilerServices;
using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// A producer of bytes: raw bytes from any serializer, unmanaged structs, or whole messages of a known schema. It writes them directly into the mapped
/// queue. Serves one thread at a time; Dispose can be called from any thread. Publishing does not allocate, except in an asynchronous wait for room.
/// </summary>
public sealed class MessageProducer : IDisposable
{
    private readonly LogWriter _writer;
    private readonly PublishCheck? _check;
    private readonly bool _isStamping;

    internal MessageProducer(LogWriter writer, PublishCheck? check)
    {
        _writer = writer;
        _check = check;
        _isStamping = writer.IsStamping;
    }

    /// <summary>Gets the maximum size of a message in bytes: a message must fit into one segment.</summary>
    public int MaxMessageBytes => _writer.MaxPayloadBytes;

    /// <summary>Publishes a message. Waits for room if the queue is full.</summary>
    /// <param name="payload">The message; raw bytes may be empty.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <returns>Its position in the queue.</returns>
    /// <exception cref="ArgumentException">The queue holds values, and the payload is not such a value; or a text of the properties is too long. Nothing was published.</exception>
    /// <exception cref="MalformedMessageException">The queue holds messages of a schema, and the payload is not such a message. Nothing was published.</exception>
    /// <exception cref="MessageTooLargeException">The message is larger than <see cref="MaxMessageBytes"/>.</exception>
    /// <exception cref="DiskFullException">The disk has no room for the next segment. Nothing was published; try again when space is free.</exception>
    /// <exception cref="FlushFailedException">The message is published, but the disk failed to store it.</exception>
    /// <exception cref="QueueCorruptedException">The newest segment, or the control file, is damaged. Nothing was published.</exception>
    /// <exception cref="UnauthorizedAccessException">The process is not permitted to create the next segment. Nothing was published.</exception>
    /// <exception cref="StaleQueueException">The queue's files were deleted or replaced.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled. Nothing was published.</exception>
    /// <exception cref="InvalidOperationException">A claim is open.</exception>
    /// <exception cref="ObjectDisposedException">The producer is disposed.</exception>
    public long Publish(ReadOnlySpan<byte> payload, CancellationToken cancellationToken = default)
    {
        TryPublish(payload, out var position, Timeout.InfiniteTimeSpan, properties: null, cancellationToken);
        return position;
    }

    /// <summary>Publishes a message with properties. Waits for room if the queue is full.</summary>
    /// <param name="payload">The message; raw bytes may be empty.</param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <inheritdoc cref="Publish(ReadOnlySpan{byte}, CancellationToken)"/>
    public long Publish(ReadOnlySpan<byte> payload, MessageProperties? properties, CancellationToken cancellationToken = default)
    {
        TryPublish(payload, out var position, Timeout.InfiniteTimeSpan, properties, cancellationToken);
        return position;
    }

    /// <summary>Publishes a message if the queue has room for it, or gets room within the timeout.</summary>
    /// <param name="payload">The message; raw bytes may be empty.</param>
    /// <param name="position">The message's position in the queue.</param>
    /// <param name="timeout">How long to wait for room. By default, the call does not wait.</param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <returns>False if the queue stayed full. Nothing was published.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative.</exception>
    /// <inheritdoc cref="Publish(ReadOnlySpan{byte}, CancellationToken)" path="/exception"/>
    public bool TryPublish(ReadOnlySpan<byte> payload, out long position, TimeSpan timeout = default, MessageProperties? properties = null, CancellationToken cancellationToken = default)
    {
        _check?.Require(payload);
        return properties is null && !_isStamping
            ? _writer.TryPublish(payload, out position, timeout, cancellationToken)
            : _writer.TryPublish(payload, out position, timeout, properties, cancellationToken);
    }

    /// <summary>Publishes an unmanaged struct as it is in memory, with its padding. Waits for room if the queue is full.</summary>
    /// <param name="value">The value.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <inheritdoc cref="Publish(ReadOnlySpan{byte}, CancellationToken)"/>
    public long Publish<T>(in T value, CancellationToken cancellationToken = default)
        where T : unmanaged
        => Publish(value, properties: null, cancellationToken);

    /// <summary>Publishes an unmanaged struct with properties. Waits for room if the queue is full.</summary>
    /// <param name="value">The value.</param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <inheritdoc cref="Publish(ReadOnlySpan{byte}, CancellationToken)"/>
    public long Publish<T>(in T value, MessageProperties? properties, CancellationToken cancellationToken = default)
        where T : unmanaged
    {
        TryPublish(value, out var position, Timeout.InfiniteTimeSpan, properties, cancellationToken);
        return position;
    }

    /// <summary>Publishes an unmanaged struct if the queue has room for it, or gets room within the timeout.</summary>
    /// <param name="value">The value.</param>
    /// <param name="position">The message's position in the queue.</param>
    /// <param name="timeout">How long to wait for room. By default, the call does not wait.</param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <inheritdoc cref="TryPublish(ReadOnlySpan{byte}, out long, TimeSpan, MessageProperties, CancellationToken)"/>
    // SAFETY: Reserve gives room for the value in a mapped segment, aligned to 16; a mapped range stays memory.
    public unsafe bool TryPublish<T>(in T value, out long position, TimeSpan timeout = default, MessageProperties? properties = null, CancellationToken cancellationToken = default)
        where T : unmanaged
    {
        _check?.RequireValue<T>();
        long use;
        var destination = properties is null && !_isStamping
            ? _writer.Reserve(Unsafe.SizeOf<T>(), timeout, cancellationToken, out use)
            : _writer.Reserve(Unsafe.SizeOf<T>(), properties, timeout, cancellationToken, out use);
        if (destination is null)
        {
            position = 0;
            return false;
        }

        *(T*)destination = value;
        position = _writer.Commit(use, destination, Unsafe.SizeOf<T>(), Unsafe.SizeOf<T>());
        return true;
    }

    /// <summary>Publishes a message, waiting for room without blocking a thread.</summary>
    /// <param name="payload">The message. It must not change until the task completes.</param>
    /// <param name="timeout">How long to wait for room; <see cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <exception cref="TimeoutException">The queue stayed full. Nothing was published.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative.</exception>
    /// <inheritdoc cref="Publish(ReadOnlySpan{byte}, CancellationToken)"/>
    public async ValueTask<long> PublishAsync(ReadOnlyMemory<byte> payload, TimeSpan timeout, MessageProperties? properties = null, CancellationToken cancellationToken = default)
    {
        var wait = new RoomWait(_writer, timeout);
        long position;
        while (!TryPublish(payload.Span, out position, TimeSpan.Zero, properties, cancellationToken))
        {
            await wait.WaitAsync(cancellationToken).ConfigureAwait(false);
        }

        return position;
    }

    /// <inheritdoc cref="PublishAsync(ReadOnlyMemory{byte}, TimeSpan, MessageProperties, CancellationToken)"/>
    public ValueTask<long> PublishAsync(ReadOnlyMemory<byte> payload, CancellationToken cancellationToken = default) =>
        PublishAsync(payload, Timeout.InfiniteTimeSpan, properties: null, cancellationToken);

    /// <summary>Publishes an unmanaged struct, waiting for room without blocking a thread.</summary>
    /// <param name="value">The value.</param>
    /// <param name="timeout">How long to wait for room; <see cref="Timeout.InfiniteTimeSpan"/> waits indefinitely.</param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <inheritdoc cref="PublishAsync(ReadOnlyMemory{byte}, TimeSpan, MessageProperties, CancellationToken)"/>
    public async ValueTask<long> PublishAsync<T>(T value, TimeSpan timeout, MessageProperties? properties = null, CancellationToken cancellationToken = default)
        where T : unmanaged
    {
        var wait = new RoomWait(_writer, timeout);
        long position;
        while (!TryPublish(value, out position, TimeSpan.Zero, properties, cancellationToken))
        {
            await wait.WaitAsync(cancellationToken).ConfigureAwait(false);
        }

        return position;
    }

    /// <inheritdoc cref="PublishAsync{T}(T, TimeSpan, MessageProperties, CancellationToken)"/>
    public ValueTask<long> PublishAsync<T>(T value, CancellationToken cancellationToken = default)
        where T : unmanaged
        => PublishAsync(value, Timeout.InfiniteTimeSpan, properties: null, cancellationToken);

    /// <summary>
    /// Claims room in the queue to write a message in place. Waits for room if the queue is full. Commit the claim with the number of bytes used; a claim
    /// that is disposed without a commit becomes padding. While the claim is open, this producer cannot publish other messages, and consumers wait at the
    /// claimed record.
    /// </summary>
    /// <param name="maxBytes">The maximum number of bytes that the message may need. Unused bytes are given back in a queue for one producer, and become padding in a queue for many.</param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <exception cref="ArgumentOutOfRangeException">The number of bytes is negative.</exception>
    /// <exception cref="ArgumentException">A text of the properties is too long.</exception>
    /// <inheritdoc cref="Publish(ReadOnlySpan{byte}, CancellationToken)" path="/exception[not(@cref='T:System.ArgumentException' or @cref='T:BufferedMessages.MalformedMessageException' or @cref='T:BufferedMessages.FlushFailedException')]"/>
    public MessageClaim Claim(int maxBytes, MessageProperties? properties = null, CancellationToken cancellationToken = default) =>
        new(_writer, _check, maxBytes, Timeout.InfiniteTimeSpan, properties, cancellationToken);

    /// <summary>Claims room in the queue if room is available, or becomes available within the timeout.</summary>
    /// <param name="maxBytes">The maximum number of bytes that the message may need.</param>
    /// <param name="claim">The room; commit or dispose it.</param>
    /// <param name="timeout">How long to wait for room. By default, the call does not wait.</param>
    /// <param name="properties">Properties to store with the message, besides those that the producer stamps; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <returns>False if the queue stayed full.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The number of bytes, or the timeout, is negative.</exception>
    /// <exception cref="ArgumentException">A text of the properties is too long.</exception>
    /// <inheritdoc cref="Publish(ReadOnlySpan{byte}, CancellationToken)" path="/exception[not(@cref='T:System.ArgumentException' or @cref='T:BufferedMessages.MalformedMessageException' or @cref='T:BufferedMessages.FlushFailedException')]"/>
    public bool TryClaim(int maxBytes, out MessageClaim claim, TimeSpan timeout = default, MessageProperties? properties = null, CancellationToken cancellationToken = default)
    {
        claim = new MessageClaim(_writer, _check, maxBytes, timeout, properties, cancellationToken);
        return claim.IsOpen;
    }

    /// <summary>
    /// Claims room in the queue for a batch of messages. When the batch is published, consumers see all of them at once; otherwise they see none, even if this process dies.
    /// Waits for room if the queue is full. While the batch is open, this producer cannot publish other messages, and consumers wait at the batch.
    /// </summary>
    /// <param name="maxBytes">
    /// The maximum number of bytes that all messages may need. A message needs its own bytes, those of its properties and 16 more, rounded up to a multiple of 16. A batch must fit into
    /// one segment. Unused bytes are given back in a queue for one producer, and become padding in a queue for many.
    /// </param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <exception cref="ArgumentOutOfRangeException">The number of bytes is zero or negative.</exception>
    /// <exception cref="MessageTooLargeException">A segment is smaller than that.</exception>
    /// <inheritdoc cref="Claim" path="/exception[not(@cref='T:BufferedMessages.MessageTooLargeException' or @cref='T:System.ArgumentException' or @cref='T:System.ArgumentOutOfRangeException')]"/>
    public MessageBatch ClaimBatch(int maxBytes, CancellationToken cancellationToken = default) => new(_writer, _check, maxBytes, Timeout.InfiniteTimeSpan, cancellationToken);

    /// <summary>Claims room in the queue for a batch of messages if room is available, or becomes available within the timeout.</summary>
    /// <param name="maxBytes">The maximum number of bytes that all messages may need, as for <see cref="ClaimBatch"/>.</param>
    /// <param name="batch">The room; publish or dispose it.</param>
    /// <param name="timeout">How long to wait for room. By default, the call does not wait.</param>
    /// <param name="cancellationToken">Cancels the wait for room.</param>
    /// <returns>False if the queue stayed full.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The number of bytes is zero or negative, or the timeout is negative.</exception>
    /// <inheritdoc cref="ClaimBatch" path="/exception[not(@cref='T:System.ArgumentOutOfRangeException')]"/>
    public bool TryClaimBatch(int maxBytes, out MessageBatch batch, TimeSpan timeout = default, CancellationToken cancellationToken = default)
    {
        batch = new MessageBatch(_writer, _check, maxBytes, timeout, cancellationToken);
        return batch.IsOpen;
    }

    /// <summary>Publishes the copy of a message of another queue if there is room for it.</summary>
    /// <param name="payload">The message.</param>
    /// <param name="propertyEntries">The entries of its properties.</param>
    /// <param name="stamps">The properties that differ in the copy.</param>
    /// <param name="position">The position of the copy.</param>
    /// <returns>False if the queue is full. Nothing was published.</returns>
    /// <inheritdoc cref="Publish(ReadOnlySpan{byte}, CancellationToken)" path="/exception"/>
    internal bool TryPublishCopy(ReadOnlySpan<byte> payload, ReadOnlySpan<byte> propertyEntries, in CopyStamps stamps, out long position)
    {
        _check?.Require(payload);
        return _writer.TryPublishCopy(payload, propertyEntries, stamps, out position);
    }

    /// <summary>
    /// Closes the producer. If a claim or batch is open, the producer closes when that ends. Published messages stay in the queue. May be called more than once, and from any thread.
    /// </summary>
    public void Dispose() => _writer.Dispose();
}
