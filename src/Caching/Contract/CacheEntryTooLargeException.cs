namespace BufferedMessages.Caching;

/// <summary>An entry is larger than the cache takes. Nothing was changed.</summary>
public sealed class CacheEntryTooLargeException : ArgumentException
{
    internal CacheEntryTooLargeException(long bytes, long maxBytes)
        : base($"An entry of {bytes} bytes is too large: this cache takes {maxBytes} at most, key and value together. Use a larger MaxEntryBytes, or a new cache with larger segments (SegmentBytes).")
    {
        Bytes = bytes;
        MaxBytes = maxBytes;
    }

    /// <summary>Bytes of the entry, key and value together.</summary>
    public long Bytes { get; }

    /// <summary>The most that the cache takes.</summary>
    public long MaxBytes { get; }
}
