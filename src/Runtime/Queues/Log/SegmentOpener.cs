namespace BufferedMessages.Queues;

/// <summary>What a producer brings along to open a segment.</summary>
/// <param name="Slot">Its participant slot.</param>
/// <param name="Probe">About the producer that is opening the same segment.</param>
internal sealed record SegmentOpener(int Slot, LivenessProbe Probe);
