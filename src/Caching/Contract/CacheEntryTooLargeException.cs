namespace BufferedMessages.Caching;

/// <summary>The exception for an entry that is larger than the cache accepts. The cache is unchanged.</summary>
public sealed class CacheEntryTooLargeException : ArgumentException
{
    internal CacheEntryTooLargeException(long bytes, long maxBytes)
        : base($"An entry of {bytes} bytes is too large: this cache accepts at most {maxBytes} bytes for key, value and tags together. Use a larger MaxEntryBytes, or a new cache with larger segments (SegmentBytes).")
    {
        Bytes = bytes;
        MaxBytes = maxBytes;
    }

    /// <summary>Gets the size of the entry in bytes: key, value and tags together.</summary>
    public long Bytes { get; }

    /// <summary>Gets the maximum size of an entry that the cache accepts, in bytes.</summary>
    public long MaxBytes { get; }
}
