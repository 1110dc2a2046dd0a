using BufferedMessages.Queues;

namespace BufferedMessages;

/// <summary>
/// The producer of a queue of messages: an object is written straight into the mapped queue. Serves one thread at a time; Dispose is
/// safe from any. Publishing allocates nothing.
/// </summary>
/// <typeparam name="TSource">A type with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
public sealed class MessageProducer<TSource> : IDisposable
    where TSource : IBufferedMessageSource<TSource>
{
    private readonly LogWriter _writer;

    internal MessageProducer(LogWriter writer) => _writer = writer;

    /// <summary>The largest message in bytes: what a segment of this queue holds.</summary>
    public int MaxMessageBytes => _writer.MaxPayloadBytes;

    /// <summary>Calculates the size, claims that much of the queue, writes the message in place and publishes it.</summary>
    /// <param name="source">Not to be changed by other threads meanwhile: that is noticed, and then nothing is published.</param>
    /// <returns>The message's position in the queue.</returns>
    /// <exception cref="ArgumentException">The source was changed while it was written. Nothing was published.</exception>
    /// <exception cref="MessageTooLargeException">It is larger than <see cref="MaxMessageBytes"/>.</exception>
    /// <exception cref="MessageTooDeepException">Messages are nested more than 64 deep, or contain themselves.</exception>
    /// <exception cref="DiskFullException">There is no room for the next segment. Nothing was published; try again when there is.</exception>
    /// <exception cref="ObjectDisposedException">The producer is disposed.</exception>
    public unsafe long Publish(TSource source)
    {
        ArgumentNullException.ThrowIfNull(source);
        var size = source.CalculateSize();
        using var claim = new QueueClaim(_writer, size);
        return claim.Commit(source.Write(claim.Span));
    }

    /// <summary>Closes the producer. What is published stays. Safe twice, and from any thread.</summary>
    public void Dispose() => _writer.Dispose();
}
