namespace BufferedMessages.Caching;

/// <summary>
/// A record in its segment, or in a staged chunk that stays where it is until this is disposed, so that a change of its expiry is not lost. Dispose it after a few instructions: the thread that
/// moves the chunk waits for that.
/// </summary>
internal readonly ref struct HeldRecord(CacheRecord record, StagedChunks? staged = null, StagedHold hold = default)
{
    public CacheRecord Record { get; } = record;

    public void Dispose() => staged?.Release(hold);
}
