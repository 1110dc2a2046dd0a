using System.Globalization;
using BufferedMessages.Queues;

namespace BufferedMessages.Hosting;

/// <summary>
/// Stores the messages that a handler could not handle, with the same content and bytes, in a durable queue. It is created with the first one. Thread-safe.
/// </summary>
internal sealed class DeadLetterStore(MessageQueue queue, string handler) : IDisposable
{
    private const int MostReasonCharacters = 8_000;

    // A handler that is stopped waits this long for a producer of another process that does not finish its record. A flush takes less.
    private static readonly TimeSpan FlushPatience = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();

    // The positions of the letters that are published, and perhaps not on the disk.
    private readonly Dictionary<MessageId, long> _unflushed = [];
    private MessageQueue? _letters;
    private MessageProducer? _producer;
    private ulong _content;

    /// <summary>The directory of the dead letters.</summary>
    public string Directory { get; } = DeadLetterFolder.Of(queue.Path, handler);

    /// <summary>Stores a message. If its queue is flushed, the dead letter is on the disk when this returns: the commit of the message must not survive a crash of the machine that the dead letter does not.</summary>
    /// <param name="payload">Its bytes.</param>
    /// <param name="properties">Its properties, to which those of the dead letter are added.</param>
    /// <param name="source">Its id.</param>
    /// <param name="attempts">How many attempts were made.</param>
    /// <param name="reason">Why it could not be handled.</param>
    /// <param name="exception">The last failure; null if there was none.</param>
    /// <param name="stop">Cancelled when the handler stops.</param>
    /// <exception cref="OperationCanceledException">The handler stops, and an earlier record is not finished. The message is not committed, and is stored again.</exception>
    public void Add(ReadOnlySpan<byte> payload, MessageProperties properties, MessageId source, int attempts, string reason, Exception? exception, CancellationToken stop = default)
    {
        DeadLetterHeaders.Reserve(properties.Headers);
        if (properties.Time is { } published)
        {
            properties.Headers[DeadLetterHeaders.Published] = published.ToString("O", CultureInfo.InvariantCulture);
        }

        properties.Time = DateTimeOffset.UtcNow;
        properties.Source = source;
        properties.Attempts = attempts;
        properties.Reason = reason.Length > MostReasonCharacters ? reason[..MostReasonCharacters] : reason;
        properties.Headers[DeadLetterHeaders.Handler] = handler;
        if (exception is not null)
        {
            properties.Headers[DeadLetterHeaders.ExceptionType] = UnreadableFailureException.TypeNameOf(exception);
        }

        MessageQueue letters;
        long position;
        lock (_gate)
        {
            var producer = Producer();

            // A flush that fails leaves the message published, so the next attempt only flushes it.
            if (!_unflushed.TryGetValue(source, out position))
            {
                position = Publish(producer, payload, properties, source);
            }

            if (!queue.IsFlushed)
            {
                return;
            }

            _unflushed[source] = position;
            letters = _letters!;
        }

        // Without the lock: other workers, and the end of the host, do not wait for the disk.
        while (!letters.WaitForDurable(position, FlushPatience, CancellationToken.None))
        {
            stop.ThrowIfCancellationRequested();
        }

        lock (_gate)
        {
            _unflushed.Remove(source);
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            Close();
        }
    }

    private void Close()
    {
        var (producer, letters) = (_producer, _letters);
        (_producer, _letters) = (null, null);
        _unflushed.Clear();
        producer?.Dispose();
        letters?.Dispose();
    }

    // A queue of an earlier version has segments of the same size as that of the messages, and a segment has a largest size.
    private static long Publish(MessageProducer producer, ReadOnlySpan<byte> payload, MessageProperties properties, MessageId source)
    {
        foreach (var fitting in (ReadOnlySpan<MessageProperties>)[properties, new MessageProperties { Source = source }])
        {
            try
            {
                return producer.Publish(payload, fitting);
            }
            catch (Exception exception) when (exception is MessageTooLargeException or ArgumentException)
            {
                // The segment has no room for these beside the message, or a text is too long: that of a message from a bridge may be any bytes, and those that are not UTF-8 become three each.
            }
        }

        return producer.Publish(payload);
    }

    /// <summary>The producer, which knows all versions of the queue's schema.</summary>
    private MessageProducer Producer()
    {
        if (_letters?.FindLoss() is not null)
        {
            // The files were deleted or replaced, as to drop all dead letters.
            Close();
        }

        var content = queue.ContentFingerprint;
        if (_producer is not null && _content == content)
        {
            return _producer;
        }

        // A message that fills a segment of its queue has room for its reason in the next larger one.
        _letters ??= queue.OpenDeadLetters(Directory, Math.Min(2 * queue.SegmentBytes, QueueGeometry.MaxSegmentBytes), new QueueRetention { DeleteRead = true });
        _producer?.Dispose();
        _producer = null;
        _producer = queue.Content is { } known ? _letters.OpenCopyProducer(known, verify: false) : _letters.OpenProducer();
        _content = content;
        return _producer;
    }
}
