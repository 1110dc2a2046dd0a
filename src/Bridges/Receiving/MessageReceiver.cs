namespace BufferedMessages.Bridges;

/// <summary>
/// A bridge from a stream of a broker into a queue. It publishes each message of the stream once and in order, even if the stream holds messages twice or a process is killed. The chain rule drops
/// repeated runs and refuses holes. The messages in the queue name their source, and so are the receipts. It runs until it is disposed. Thread-safe.
/// </summary>
public sealed class MessageReceiver : IAsyncDisposable, IBridge
{
    private readonly ReceiverLoop _loop;
    private readonly BridgeTask _task;

    internal MessageReceiver(MessageQueue queue, IMessageStream stream, ReceiverOptions options)
    {
        _loop = new ReceiverLoop(queue, stream, options);
        _task = new BridgeTask(_loop);
    }

    /// <summary>Gets the name of the bridge.</summary>
    public string Name => _loop.Link.Name;

    IBridgeLoop IBridge.Loop => _loop;

    /// <summary>
    /// Gets the task of the bridge. It ends when the bridge is disposed, or with the exception that stopped it: <see cref="SchemaMismatchException"/>, <see cref="StreamTruncatedException"/>,
    /// <see cref="MessageTooLargeException"/>, <see cref="QueueCorruptedException"/>, <see cref="StaleQueueException"/>, <see cref="FlushFailedException"/>, <see cref="QueueInUseException"/>,
    /// <see cref="NotSupportedException"/>, <see cref="FormatException"/> for a damaged schema, <see cref="ObjectDisposedException"/> when its queue or its stream was disposed before it; before its first connection also <see cref="UnauthorizedAccessException"/> and <see cref="ArgumentException"/>. Lost connections and full disks do not stop it.
    /// </summary>
    public Task Completion => _task.Completion;

    /// <summary>Gets the counts of the bridge.</summary>
    public ReceiverStatistics GetStatistics() => _loop.GetStatistics();

    /// <summary>Stops the bridge after the current run, or within it while the destination is full, and writes its journal. May be called more than once.</summary>
    public ValueTask DisposeAsync() => _task.DisposeAsync();
}
