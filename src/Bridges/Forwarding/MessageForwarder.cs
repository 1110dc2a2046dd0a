namespace BufferedMessages.Bridges;

/// <summary>
/// A bridge from a queue to a stream of a broker. It reads the queue by its own consumer name, "bridge." and its name, and appends runs of messages to the stream in order. It commits a message when
/// the broker has confirmed it and all before it. After any failure it goes back to the confirmed position: the stream may hold a run twice, but never a hole. It runs until it is disposed.
/// Thread-safe.
/// </summary>
/// <remarks>A consumer name of the queue holds one forwarder at a time, so two forwarders of one name are refused.</remarks>
public sealed class MessageForwarder : IAsyncDisposable, IBridge
{
    private readonly ForwarderLoop _loop;
    private readonly BridgeTask _task;

    internal MessageForwarder(MessageQueue queue, IMessageStream stream, ForwarderOptions options)
    {
        _loop = new ForwarderLoop(queue, stream, options);
        _task = new BridgeTask(_loop);
    }

    /// <summary>Gets the name of the bridge.</summary>
    public string Name => _loop.Link.Name;

    IBridgeLoop IBridge.Loop => _loop;

    /// <summary>
    /// Gets the task of the bridge. It ends when the bridge is disposed, or with the exception that stopped it: <see cref="MessagesDeletedException"/>, <see cref="MessageTooLargeException"/>,
    /// <see cref="QueueCorruptedException"/>, <see cref="StaleQueueException"/>, <see cref="FlushFailedException"/>, <see cref="QueueInUseException"/>,
    /// <see cref="SchemaMismatchException"/> when a handler that had the name of its consumer has dead letters, <see cref="NotSupportedException"/> when a later version of the bridge wrote the last
    /// entries of its Redis stream, <see cref="ObjectDisposedException"/> when its queue or its stream was disposed before it; before
    /// its first connection also <see cref="UnauthorizedAccessException"/> and <see cref="ArgumentException"/>. Lost connections do not stop it.
    /// </summary>
    public Task Completion => _task.Completion;

    /// <summary>Gets the counts of the bridge.</summary>
    public ForwarderStatistics GetStatistics() => _loop.GetStatistics();

    /// <summary>Stops the bridge: reads no further message, waits up to five seconds for the confirmation of those that are sent, and commits them. May be called more than once.</summary>
    public ValueTask DisposeAsync() => _task.DisposeAsync();
}
