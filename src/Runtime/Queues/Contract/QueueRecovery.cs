namespace BufferedMessages;

/// <summary>
/// The result of the crash recovery that ran when a durable queue was first opened after the machine had stopped. It kept every message before
/// the first one that is not whole. Immutable.
/// </summary>
public sealed class QueueRecovery
{
    internal QueueRecovery(long position, long cutBytes, string? lostAndFound, IReadOnlyList<string> clampedNames)
    {
        Position = position;
        CutBytes = cutBytes;
        LostAndFound = lostAndFound;
        ClampedNames = clampedNames;
    }

    /// <summary>Gets the position where the queue ends now. Everything that was published at or after it is lost.</summary>
    public long Position { get; }

    /// <summary>Gets the number of bytes that were cut off there and were not zero. 0 if nothing was lost, or if the lost bytes had never reached the disk.</summary>
    public long CutBytes { get; }

    /// <summary>Gets the directory with the cut bytes and a report; null if nothing was cut and no cursor was moved.</summary>
    public string? LostAndFound { get; }

    /// <summary>Gets the consumer names whose cursor was after the end. They continue at <see cref="Position"/>; a group continues at an earlier message if its members may not have been done with it.</summary>
    public IReadOnlyList<string> ClampedNames { get; }
}
