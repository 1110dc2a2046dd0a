using BufferedMessages.Queues;

namespace BufferedMessages.Tool;

/// <summary>The queue into which messages are copied. It holds the versions of the schema that their queue has. Serves one thread at a time.</summary>
internal sealed class Destination : IDisposable
{
    private readonly FullQueueWait _room;
    private readonly MessageQueue _queue;
    private readonly MessageProducer _producer;

    // The place of the last message; null before the first one.
    private long? _last;

    private Destination(Call call, MessageQueue queue, MessageProducer producer)
    {
        _room = new FullQueueWait(call);
        _queue = queue;
        _producer = producer;
    }

    /// <summary>Opens the destination.</summary>
    /// <param name="call">The command.</param>
    /// <param name="given">Its path or name.</param>
    /// <param name="isCreated">Whether it is made if it is not there.</param>
    /// <param name="options">The options of a new one.</param>
    /// <param name="content">The content of the messages.</param>
    /// <exception cref="ToolException">It is not there.</exception>
    /// <exception cref="SchemaMismatchException">It holds other content.</exception>
    public static Destination Open(Call call, string given, bool isCreated, MessageQueueOptions options, QueueContent content)
    {
        var queue = OpenQueue(given, isCreated, options);
        try
        {
            return new Destination(call, queue, queue.OpenCopyProducer(content, verify: true));
        }
        catch
        {
            queue.Dispose();
            throw;
        }
    }

    /// <summary>Opens the queue alone, for no messages.</summary>
    /// <param name="given">Its path or name.</param>
    /// <param name="isCreated">Whether it is made if it is not there.</param>
    /// <param name="options">The options of a new one.</param>
    /// <exception cref="ToolException">It is not there.</exception>
    public static MessageQueue OpenQueue(string given, bool isCreated, MessageQueueOptions options) =>
        isCreated && TargetResolver.IsFree(given) ? MessageQueue.Open(Path.GetFullPath(given), options) : TargetResolver.OpenQueueToChange(given);

    /// <summary>Gets the id of the destination.</summary>
    public Guid Id => _queue.Id;

    /// <summary>Publishes the copy of a message, and waits for room.</summary>
    /// <exception cref="MessageTooLargeException">It is larger than a segment.</exception>
    /// <exception cref="MalformedMessageException">It is not a message of the schema, or its properties are damaged.</exception>
    public void Publish(ReadOnlySpan<byte> payload, ReadOnlySpan<byte> entries, in CopyStamps stamps)
    {
        long position;
        while (!_producer.TryPublishCopy(payload, entries, stamps, out position))
        {
            _room.Pause();
        }

        _last = position;
        _room.End();
    }

    /// <summary>
    /// Waits until the copies are on the disk, if the queue has a flush mode. The last flush of a closing producer does not wait for the messages of others, and keeps a failure to itself. A command that
    /// had nothing to copy waits for all messages that are there: it may continue one whose wait was interrupted.
    /// </summary>
    /// <param name="token">Ends the wait.</param>
    /// <exception cref="FlushFailedException">The disk failed.</exception>
    /// <exception cref="OperationCanceledException">The wait was ended.</exception>
    public void AwaitDisk(CancellationToken token)
    {
        if (_queue.IsFlushed)
        {
            _queue.WaitForDurable(_last ?? long.MaxValue, Timeout.InfiniteTimeSpan, token);
        }
    }

    public void Dispose()
    {
        _producer.Dispose();
        _queue.Dispose();
    }
}
