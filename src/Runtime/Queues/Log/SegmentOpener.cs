namespace BufferedMessages.Queues;

/// <summary>The identity with which a producer opens a segment.</summary>
/// <param name="Slot">Its participant slot.</param>
/// <param name="Probe">Its liveness probe, for another producer that is opening the same segment.</param>
internal sealed record SegmentOpener(int Slot, LivenessProbe Probe);
