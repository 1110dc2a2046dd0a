namespace BufferedMessages;

/// <summary>
/// A durable queue could not be written to the disk. The messages are published, and stay as long as the machine runs; what lies behind
/// <see cref="DurablePosition"/> may not survive its crash. The next flush tries all of it again.
/// </summary>
public sealed class FlushFailedException : IOException
{
    internal FlushFailedException(string directory, long durablePosition, Exception innerException)
        : base(
            $"The queue in '{directory}' could not be written to the disk behind position {durablePosition}: {innerException.Message} " +
            "What is published there may be lost if the machine crashes. Repair the disk or free some space; the next flush tries again.",
            innerException)
    {
        DurablePosition = durablePosition;
    }

    /// <summary>What lies before this position is on the disk.</summary>
    public long DurablePosition { get; }
}
