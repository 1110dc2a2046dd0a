using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// The producer of a queue of raw bytes: any serializer writes straight into the queue. Serves one thread at a time; Dispose is
/// safe from any. Publishing allocates nothing.
/// </summary>
public sealed class QueueProducer : IDisposable
{
    private readonly LogWriter _writer;

    internal QueueProducer(LogWriter writer) => _writer = writer;

    /// <summary>The largest message in bytes: what a segment of this queue holds.</summary>
    public int MaxMessageBytes => _writer.MaxPayloadBytes;

    /// <summary>Publishes a message.</summary>
    /// <param name="payload">The message; it may be empty.</param>
    /// <returns>Its position in the queue.</returns>
    /// <exception cref="MessageTooLargeException">It is larger than <see cref="MaxMessageBytes"/>.</exception>
    /// <exception cref="DiskFullException">There is no room for the next segment. Nothing was published; try again when there is.</exception>
    /// <exception cref="InvalidOperationException">A claim is open.</exception>
    /// <exception cref="ObjectDisposedException">The producer is disposed.</exception>
    public unsafe long Publish(ReadOnlySpan<byte> payload)
    {
        var destination = _writer.Reserve(payload.Length, out _);
        payload.CopyTo(new Span<byte>(destination, payload.Length));
        return _writer.Commit(payload.Length);
    }

    /// <summary>
    /// Claims room in the queue to write a message in place. Commit it with the bytes that were used; a claim that is disposed without
    /// leaves nothing that consumers see. Nothing else can be published until then.
    /// </summary>
    /// <param name="maxBytes">The most the message may need; what is not used is given back.</param>
    /// <inheritdoc cref="Publish" path="/exception"/>
    public QueueClaim Claim(int maxBytes) => new(_writer, maxBytes);

    /// <summary>Closes the producer; an open claim closes it when it is over. What is published stays. Safe twice, and from any thread.</summary>
    public void Dispose() => _writer.Dispose();
}
