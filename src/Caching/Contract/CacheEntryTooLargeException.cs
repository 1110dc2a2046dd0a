namespace BufferedMessages.Caching;

/// <summary>The exception for an entry that is larger than the cache accepts. Nothing was changed.</summary>
public sealed class CacheEntryTooLargeException : ArgumentException
{
    internal CacheEntryTooLargeException(long bytes, long maxBytes)
        : base($"An entry of {bytes} bytes is too large: this cache accepts at most {maxBytes}, key, value and tags together. Use a larger MaxEntryBytes, or a new cache with larger segments (SegmentBytes).")
    {
        Bytes = bytes;
        MaxBytes = maxBytes;
    }

    /// <summary>Gets the bytes of the entry, key, value and tags together.</summary>
    public long Bytes { get; }

    /// <summary>Gets the most bytes that the cache accepts.</summary>
    public long MaxBytes { get; }
}
