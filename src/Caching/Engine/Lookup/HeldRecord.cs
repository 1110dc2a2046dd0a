namespace BufferedMessages.Caching;

/// <summary>A record in its segment, or in a staged chunk that stays where it is until this is disposed: a change of its expiry is not lost.</summary>
internal readonly ref struct HeldRecord(CacheRecord record, StagedChunks? staged = null, StagedHold hold = default)
{
    public CacheRecord Record { get; } = record;

    public void Dispose() => staged?.Release(hold);
}
