using System.Numerics;

namespace BufferedMessages.Caching;

/// <summary>How a cache is opened. Each value is checked when it is set, and all together when the cache is opened.</summary>
public sealed record MessageCacheOptions
{
    /// <summary>64 KB.</summary>
    public const long MinSegmentBytes = 64 * 1024;

    /// <summary>1 GB.</summary>
    public const long MaxSegmentBytes = 1024 * 1024 * 1024;

    /// <summary>The fewest segments that a cache can work with: 6.</summary>
    public const int MinSegments = 6;

    /// <summary>The most segments of a cache: 8192.</summary>
    public const int MaxSegments = 8192;

    private const long MaxDefaultSegmentBytes = 64 * 1024 * 1024;
    private const int DefaultSegments = 32;

    /// <summary>The name of the cache in metrics. Null takes the name of its directory.</summary>
    public string? Name { get; init; }

    /// <summary>
    /// The most bytes of the segment files on the disk; 1 GB by default. Whole segments are used, from <see cref="MinSegments"/> to
    /// <see cref="MaxSegments"/>. The index comes on top: 16 to 32 bytes for each entry.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public long DiskBytes
    {
        get;
        init => field = Positive(value);
    } = 1024L * 1024 * 1024;

    /// <summary>
    /// The most bytes of the segments that this process keeps mapped in memory; 256 MB by default. What is above is given back to the system, which
    /// may keep it in its file cache. It is held on Linux; other systems decide themselves. The index comes on top.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 MB.</exception>
    public long MemoryBytes
    {
        get;
        init => field = value >= 1024 * 1024
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "The memory of a cache must be at least 1 MB.");
    } = 256L * 1024 * 1024;

    /// <summary>
    /// Bytes of a segment: a power of two from <see cref="MinSegmentBytes"/> to <see cref="MaxSegmentBytes"/>. Null accepts the size of an existing
    /// cache, and gives a new one about 32 segments of 64 KB to 64 MB.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is no power of two, or out of range.</exception>
    public long? SegmentBytes
    {
        get;
        init => field = value is null || (value is >= MinSegmentBytes and <= MaxSegmentBytes && BitOperations.IsPow2(value.Value))
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, $"A segment's size must be a power of two from {MinSegmentBytes} to {MaxSegmentBytes} bytes.");
    }

    /// <summary>The most bytes of one entry, key and value together. Null accepts what a segment holds.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public int? MaxEntryBytes
    {
        get;
        init => field = value is null or > 0 ? value : throw new ArgumentOutOfRangeException(nameof(value), value, "The largest entry must have a byte at least.");
    }

    /// <summary>How many entries are expected: a new cache begins with an index for so many. It grows in any case. 10,000 by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public long ExpectedEntries
    {
        get;
        init => field = Positive(value);
    } = 10_000;

    /// <summary>When entries expire that are set without an expiry; <see cref="CacheExpiry.Never"/> by default.</summary>
    public CacheExpiry DefaultExpiry { get; init; } = CacheExpiry.Never;

    /// <summary>The clock of expiry; the system's by default.</summary>
    /// <exception cref="ArgumentNullException">Null.</exception>
    public TimeProvider TimeProvider
    {
        get;
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            field = value;
        }
    } = TimeProvider.System;

    /// <summary>
    /// The checksum of an entry is compared on each read. By default that is done on its first read after the cache was opened, and not for entries that this
    /// process wrote.
    /// </summary>
    public bool VerifyEveryRead { get; init; }

    /// <summary>
    /// How long a set waits when every segment is held by leases; then it throws <see cref="TimeoutException"/>. 10 seconds by default.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative, or more than 24 days.</exception>
    public TimeSpan SegmentTimeout
    {
        get;
        init => field = value >= TimeSpan.Zero && value.TotalDays <= 24
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "The time must be from 0 to 24 days.");
    } = TimeSpan.FromSeconds(10);

    /// <summary>The segment size of a new cache.</summary>
    internal long NewSegmentBytes =>
        SegmentBytes ?? Math.Clamp((long)BitOperations.RoundUpToPowerOf2((ulong)(DiskBytes / DefaultSegments / 2) + 1), MinSegmentBytes, MaxDefaultSegmentBytes);

    /// <summary>How many segments the disk budget has room for.</summary>
    /// <exception cref="ArgumentException">Too few, or too many.</exception>
    internal int SegmentsOf(long segmentBytes)
    {
        var segments = DiskBytes / segmentBytes;
        return segments is >= MinSegments and <= MaxSegments
            ? (int)segments
            : throw new ArgumentException(
                $"A DiskBytes of {DiskBytes} is {segments} segments of {segmentBytes} bytes; a cache has {MinSegments} to {MaxSegments}. " +
                $"Change DiskBytes, or {(segments < MinSegments ? "use smaller" : "larger")} segments (SegmentBytes; a cache that exists keeps the size it was created with).");
    }

    private static long Positive(long value)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(value);
        return value;
    }
}
