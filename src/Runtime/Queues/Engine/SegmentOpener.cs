namespace BufferedMessages.Queues;

/// <summary>What a producer brings along to open a segment.</summary>
/// <param name="Slot">Its participant slot.</param>
/// <param name="Suspicion">About whoever is at opening the same segment.</param>
internal sealed record SegmentOpener(int Slot, Suspicion Suspicion);
