namespace BufferedMessages.Caching;

/// <summary>A record whose chunk does not go to its segment until <see cref="StagedChunks.Release"/>.</summary>
/// <param name="lane">The lane of the chunk.</param>
/// <param name="record">The record in its room; null if it is damaged.</param>
internal readonly struct StagedHold(int lane, CacheRecord? record)
{
    public int Lane { get; } = lane;

    public CacheRecord? Record { get; } = record;
}
