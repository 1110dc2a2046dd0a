namespace BufferedMessages.Sessions;

/// <summary>The end of a flow that publishes. Each has a loop of its own, compiled for its format alone, as a user's program has it.</summary>
internal abstract class FlowSource : IDisposable
{
    /// <summary>Publishes messages that are numbered from a number on.</summary>
    public abstract void Publish(long first, int messages);

    public abstract void Dispose();
}

/// <summary>The end of a flow that reads.</summary>
internal abstract class FlowSink : IDisposable
{
    /// <summary>Reads so many messages; waits for them.</summary>
    /// <returns>The sum of their numbers.</returns>
    public abstract long Read(int messages);

    /// <summary>Gives up all messages that are there, unread.</summary>
    public abstract void Skip();

    public abstract void Dispose();

    /// <summary>Opens the consumer of a flow.</summary>
    protected static MessageConsumer<TPayload> Open<TPayload>(MessageQueue queue, SessionOptions options, int messagesPerCommit = 1)
        where TPayload : IQueuePayload<TPayload>, allows ref struct
        => queue.OpenConsumer<TPayload>("session", new() { Shared = options.IsGroup, MessagesPerCommit = options.IsGroup ? 1 : messagesPerCommit });

    /// <summary>A loop over deliveries leaves its last message uncommitted.</summary>
    protected static void CommitLast<TPayload>(MessageConsumer<TPayload> consumer)
        where TPayload : IQueuePayload<TPayload>, allows ref struct
    {
        if (consumer.TryRead(out var last))
        {
            last.Commit();
        }
    }
}
