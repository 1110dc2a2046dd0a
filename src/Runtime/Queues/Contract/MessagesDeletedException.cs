namespace BufferedMessages;

/// <summary>The exception that is thrown when the next messages of a consumer or reader are gone: retention deleted them, or producers of a bounded queue overtook the reader.</summary>
public sealed class MessagesDeletedException : IOException
{
    internal MessagesDeletedException(string directory, long position, long firstPosition)
        : base($"The queue in '{directory}' begins at position {firstPosition}; the message at {position} is gone: retention deleted it, or producers have reused its place. " +
        "Continue with Seek(QueueStart.Earliest), whose result tells how much was missed.")
    {
        Position = position;
        FirstPosition = firstPosition;
    }

    /// <summary>Gets the position that the consumer or reader wanted to read.</summary>
    public long Position { get; }

    /// <summary>Gets the first position that is still in the queue.</summary>
    public long FirstPosition { get; }
}
