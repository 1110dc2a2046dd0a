using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// A producer of a queue of raw bytes: any serializer writes straight into the queue. Serves one thread at a time; Dispose is
/// safe from any. Publishing allocates nothing, except in an asynchronous wait for room.
/// </summary>
public sealed class QueueProducer : IDisposable
{
    private readonly LogWriter _writer;

    internal QueueProducer(LogWriter writer) => _writer = writer;

    /// <summary>The largest message in bytes: what a segment of this queue holds.</summary>
    public int MaxMessageBytes => _writer.MaxPayloadBytes;

    /// <summary>Publishes a message. Waits for room in a queue that is full.</summary>
    /// <param name="payload">The message; it may be empty.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <returns>Its position in the queue.</returns>
    /// <exception cref="MessageTooLargeException">It is larger than <see cref="MaxMessageBytes"/>.</exception>
    /// <exception cref="DiskFullException">There is no room for the next segment. Nothing was published; try again when there is.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled. Nothing was published.</exception>
    /// <exception cref="InvalidOperationException">A claim is open.</exception>
    /// <exception cref="ObjectDisposedException">The producer is disposed.</exception>
    public long Publish(ReadOnlySpan<byte> payload, CancellationToken cancellationToken = default)
    {
        TryPublish(payload, out var position, Timeout.InfiniteTimeSpan, cancellationToken);
        return position;
    }

    /// <summary>Publishes a message if the queue has room for it, or gets some in time.</summary>
    /// <param name="payload">The message; it may be empty.</param>
    /// <param name="position">The message's position in the queue.</param>
    /// <param name="timeout">How long to wait for room; by default not at all.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <returns>False when the queue stayed full. Nothing was published.</returns>
    /// <inheritdoc cref="Publish" path="/exception"/>
    public unsafe bool TryPublish(ReadOnlySpan<byte> payload, out long position, TimeSpan timeout = default, CancellationToken cancellationToken = default)
    {
        var destination = _writer.Reserve(payload.Length, timeout, cancellationToken, out var use);
        if (destination is null)
        {
            position = -1;
            return false;
        }

        payload.CopyTo(new Span<byte>(destination, payload.Length));
        position = _writer.Commit(use, payload.Length, payload.Length);
        return true;
    }

    /// <summary>Publishes a message; waits for room without holding a thread.</summary>
    /// <inheritdoc cref="Publish"/>
    public async ValueTask<long> PublishAsync(ReadOnlyMemory<byte> payload, CancellationToken cancellationToken = default) =>
        (await TryPublishAsync(payload, Timeout.InfiniteTimeSpan, cancellationToken).ConfigureAwait(false))!.Value;

    /// <summary>Publishes a message if the queue gets room for it in time; waits without holding a thread.</summary>
    /// <param name="payload">The message; it may be empty.</param>
    /// <param name="timeout">How long to wait for room.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <returns>The message's position in the queue; null when the queue stayed full, and nothing was published.</returns>
    /// <inheritdoc cref="Publish" path="/exception"/>
    public async ValueTask<long?> TryPublishAsync(ReadOnlyMemory<byte> payload, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        var wait = new RoomWait(_writer, timeout);
        do
        {
            if (TryPublish(payload.Span, out var position, TimeSpan.Zero, cancellationToken))
            {
                return position;
            }
        }
        while (await wait.WaitAsync(cancellationToken).ConfigureAwait(false));

        return null;
    }

    /// <summary>
    /// Claims room in the queue to write a message in place; waits for it in a queue that is full. Commit it with the bytes that were used; a
    /// claim that is disposed without leaves nothing that consumers see. Nothing else can be published by this producer until then, and
    /// consumers wait at it.
    /// </summary>
    /// <param name="maxBytes">The most the message may need. What is not used is given back where the queue has one producer, and skipped where it has many.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <inheritdoc cref="Publish" path="/exception"/>
    public QueueClaim Claim(int maxBytes, CancellationToken cancellationToken = default) =>
        new(_writer, maxBytes, Timeout.InfiniteTimeSpan, cancellationToken);

    /// <summary>Claims room in the queue if it has some, or gets some in time.</summary>
    /// <param name="maxBytes">The most the message may need.</param>
    /// <param name="claim">The room; commit or dispose it.</param>
    /// <param name="timeout">How long to wait for room; by default not at all.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    /// <returns>False when the queue stayed full.</returns>
    /// <inheritdoc cref="Publish" path="/exception"/>
    public bool TryClaim(int maxBytes, out QueueClaim claim, TimeSpan timeout = default, CancellationToken cancellationToken = default)
    {
        claim = new QueueClaim(_writer, maxBytes, timeout, cancellationToken);
        return claim.IsOpen;
    }

    /// <summary>Closes the producer; an open claim closes it when it is over. What is published stays. Safe twice, and from any thread.</summary>
    public void Dispose() => _writer.Dispose();
}
