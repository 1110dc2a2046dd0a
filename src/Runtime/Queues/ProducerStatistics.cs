namespace BufferedMessages;

/// <summary>A producer of a queue. Immutable.</summary>
public sealed class ProducerStatistics : ParticipantStatistics
{
    internal ProducerStatistics()
    {
    }

    /// <summary>Where it claimed last, or tried to, in bytes from the queue's beginning; where it opened before its first claim, or 0.</summary>
    public required long LastClaimPosition { get; init; }
}
