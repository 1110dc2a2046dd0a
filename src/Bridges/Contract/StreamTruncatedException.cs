namespace BufferedMessages.Bridges;

/// <summary>The exception of a receiver whose next entries are gone: the retention of the stream deleted them before they were read.</summary>
public sealed class StreamTruncatedException : IOException
{
    internal StreamTruncatedException(string stream, StreamOffset wanted, StreamOffset first)
        : base($"Stream '{stream}' begins at offset {first}; this receiver has read up to offset {wanted}, and the entries between may be gone. " +
        "Let the broker keep entries for longer than a receiver is away. To go on without them, set OnDeleted to Skip.")
    {
        Wanted = wanted;
        First = first;
    }

    /// <summary>Gets the offset of the last entry that the receiver has read.</summary>
    public StreamOffset Wanted { get; }

    /// <summary>Gets the offset of the first entry that the broker still has.</summary>
    public StreamOffset First { get; }
}
