namespace BufferedMessages;

/// <summary>The messages a consumer would read next were deleted by the queue's retention.</summary>
public sealed class MessagesDeletedException : IOException
{
    internal MessagesDeletedException(string directory, long position, long firstPosition)
        : base($"The queue in '{directory}' begins at position {firstPosition}; what lay at {position} was deleted by its retention. " +
               "Go on with Seek(QueueStart.Earliest), which says by its result how much was missed.")
    {
        Position = position;
        FirstPosition = firstPosition;
    }

    /// <summary>Where the consumer stands.</summary>
    public long Position { get; }

    /// <summary>The first position there is.</summary>
    public long FirstPosition { get; }
}
