using System.Globalization;
using System.Numerics;
using BufferedMessages.Queues;

namespace BufferedMessages.Bridges;

/// <summary>The messages that a bridge could not pass on: a durable queue of raw bytes in the folder <c>dead/bridge.name</c> of its queue. It is created with the first one.</summary>
/// <param name="link">The bridge.</param>
/// <param name="largestBytes">Bytes of the largest message or body that may come; its segments have room for it.</param>
internal sealed class DeadLetters(BridgeLink link, long largestBytes) : IDisposable
{
    // A bridge that is stopped waits this long for a producer of another process that does not finish its record.
    private static readonly TimeSpan FlushTimeout = TimeSpan.FromSeconds(1);

    private const long LeastSegmentBytes = 64 * 1024 * 1024;

    // The properties of a letter, and the headers of a record and a segment.
    private const long MostOverheadBytes = 64 * 1024;

    private MessageQueue? _queue;
    private MessageProducer? _producer;
    private long _count;

    // The place of the last message that was stored in order.
    private ChainPlace _lastPlace;

    /// <summary>How many messages were put there by this bridge.</summary>
    public long Count => Volatile.Read(ref _count);

    private string FolderPath => Path.Combine(link.Directory, DeadLetterNames.Folder, link.NameInQueue);

    private long SegmentBytes => Math.Clamp((long)BitOperations.RoundUpToPowerOf2((ulong)(largestBytes + MostOverheadBytes)), LeastSegmentBytes, QueueGeometry.MaxSegmentBytes);

    /// <summary>Stores a message, with the reason and its id. It is on the disk when this returns, so a crash of the machine takes back its commit or nothing.</summary>
    /// <exception cref="FlushFailedException">The disk failed.</exception>
    /// <exception cref="OperationCanceledException">The bridge is stopped, and an earlier record is not finished. The next bridge stores the message again.</exception>
    /// <exception cref="MessageTooLargeException">It is larger than a segment of the dead letters.</exception>
    public void Add(ReadOnlySpan<byte> payload, MessageId source, string reason, StreamOffset? offset, CancellationToken stop)
    {
        if (_queue?.FindLoss() is not null)
        {
            // The files were deleted or replaced, as to drop all dead letters.
            Dispose();
        }

        _queue ??= link.Queue.OpenDeadLetters(FolderPath, SegmentBytes);
        _producer ??= _queue.OpenProducer();
        var properties = new MessageProperties { Time = DateTimeOffset.UtcNow, Source = source, Reason = reason };
        properties.Headers[DeadLetterNames.BridgeStream] = link.Stream;
        if (offset is { } known)
        {
            properties.Headers[DeadLetterNames.BridgeOffset] = string.Create(CultureInfo.InvariantCulture, $"{known}");
        }

        var position = Publish(_producer, payload, properties);
        while (!_queue.WaitForDurable(position, FlushTimeout, CancellationToken.None))
        {
            stop.ThrowIfCancellationRequested();
        }

        Interlocked.Increment(ref _count);
        link.Logger.DeadLetter(link.Name, FolderPath, reason);
    }

    /// <summary>
    /// Stores a message of the bridge's queue as <see cref="Add"/> does, unless this bridge has stored it: after each failure a forwarder goes back to the confirmed position, and meets it again.
    /// </summary>
    public void AddInOrder(ReadOnlySpan<byte> payload, MessageId source, string reason, CancellationToken stop)
    {
        var place = new ChainPlace(source.Epoch, source.Position);
        if (place > _lastPlace)
        {
            Add(payload, source, reason, offset: null, stop);
            _lastPlace = place;
        }
    }

    public void Dispose()
    {
        var (producer, queue) = (_producer, _queue);
        (_producer, _queue) = (null, null);
        producer?.Dispose();
        queue?.Dispose();
    }

    private static long Publish(MessageProducer producer, ReadOnlySpan<byte> payload, MessageProperties properties)
    {
        try
        {
            return producer.Publish(payload, properties);
        }
        catch (MessageTooLargeException)
        {
            // The message leaves no room in a segment for more than its source.
            return producer.Publish(payload, new MessageProperties { Source = properties.Source });
        }
    }
}
