namespace BufferedMessages;

/// <summary>The messages that a consumer or reader would read next are not in the queue any more: retention deleted them, or producers of a bounded queue overtook a reader.</summary>
public sealed class MessagesDeletedException : IOException
{
    internal MessagesDeletedException(string directory, long position, long firstPosition)
        : base($"The queue in '{directory}' begins at position {firstPosition}; what was at {position} is not in it any more: retention deleted it, or producers have reused its place. " +
               "Go on with Seek(QueueStart.Earliest), which says by its result how much was missed.")
    {
        Position = position;
        FirstPosition = firstPosition;
    }

    /// <summary>The position that was to be read.</summary>
    public long Position { get; }

    /// <summary>The first position there is.</summary>
    public long FirstPosition { get; }
}
