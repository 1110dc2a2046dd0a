namespace BufferedMessages;

/// <summary>
/// What was done when a durable queue was opened for the first time after the machine had stopped: everything that is whole was kept, up to the
/// first message that is not. Immutable.
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

    /// <summary>Where the queue ends now. What was published at or after this position is not in the queue any more.</summary>
    public long Position { get; }

    /// <summary>Bytes that were cut off there and were not zero; 0 when nothing was lost, or all that was lost never reached the disk.</summary>
    public long CutBytes { get; }

    /// <summary>The directory with what was cut and a report; null when nothing was cut and no name was moved.</summary>
    public string? LostAndFound { get; }

    /// <summary>The consumer names that stood after the end, and go on at <see cref="Position"/>.</summary>
    public IReadOnlyList<string> ClampedNames { get; }
}
