using System.Numerics;

namespace BufferedMessages.Caching;

/// <summary>How a cache is opened. Checked and copied when it is: later changes do not reach it.</summary>
public sealed class MessageCacheOptions
{
    /// <summary>The most segments of a cache.</summary>
    internal const int MaxSegments = 8192;

    private const int MinSegments = 6;
    private const long MinSegmentBytes = 64 * 1024;
    private const long MaxSegmentBytes = 1024 * 1024 * 1024;
    private const long MaxDefaultSegmentBytes = 64 * 1024 * 1024;
    private const int DefaultSegments = 32;
    private const int MinMemoryBytes = 1024 * 1024;
    private const int MaxTimeoutDays = 24;

    /// <summary>The name of the cache in metrics. Null takes the name of its directory.</summary>
    public string? Name { get; set; }

    /// <summary>
    /// The most bytes of the segment files on the disk; 1 GB by default. Whole segments are used, from 6 to 8192 of them. The index comes on top:
    /// 16 to 32 bytes for each entry.
    /// </summary>
    public long DiskBytes { get; set; } = 1024L * 1024 * 1024;

    /// <summary>
    /// The most bytes of the segments that this process keeps mapped in memory, 1 MB at least; 256 MB by default. The rest is given back to the system, which
    /// may keep it in its file cache. It is held on Linux; other systems decide themselves. The index comes on top.
    /// </summary>
    public long MemoryBytes { get; set; } = 256L * 1024 * 1024;

    /// <summary>
    /// Bytes of a segment: a power of two from 64 KB to 1 GB. Null accepts the size of an existing cache, and gives a new one about 32 segments of 64 KB to 64 MB.
    /// </summary>
    public long? SegmentBytes { get; set; }

    /// <summary>The most bytes of one entry, key and value together. Null accepts what a segment holds.</summary>
    public int? MaxEntryBytes { get; set; }

    /// <summary>How many entries are expected: a new cache begins with an index for so many. It grows in any case. 10,000 by default.</summary>
    public long ExpectedEntries { get; set; } = 10_000;

    /// <summary>When entries expire that are set without an expiry; <see cref="CacheExpiry.Never"/> by default.</summary>
    public CacheExpiry DefaultExpiry { get; set; } = CacheExpiry.Never;

    /// <summary>The clock of expiry; the system's by default.</summary>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>
    /// The checksum of an entry is compared on each read. By default that is done on its first read after the cache was opened, and not for entries that this
    /// process wrote.
    /// </summary>
    public bool VerifyEveryRead { get; set; }

    /// <summary>
    /// How long a set waits when every segment is held by leases, up to 24 days; then it throws <see cref="TimeoutException"/>. 10 seconds by default.
    /// </summary>
    public TimeSpan SegmentTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The segment size of a new cache.</summary>
    internal long NewSegmentBytes =>
        SegmentBytes ?? Math.Clamp((long)BitOperations.RoundUpToPowerOf2((ulong)(DiskBytes / DefaultSegments / 2) + 1), MinSegmentBytes, MaxDefaultSegmentBytes);

    /// <summary>Checks the options and copies them, so that nobody changes them while a cache is open.</summary>
    /// <exception cref="ArgumentException">One is out of range; the message names it and its range.</exception>
    internal MessageCacheOptions Validated() =>
        Faults().FirstOrDefault() is { Option: { } option, Text: var text }
            ? throw new ArgumentException($"{option}: {text}")
            : (MessageCacheOptions)MemberwiseClone();

    /// <summary>The faults of the options one by one; <see cref="SegmentsOf"/> says whether they go together.</summary>
    internal IEnumerable<(string Option, string Text)> Faults()
    {
        if (DiskBytes <= 0)
        {
            yield return (nameof(DiskBytes), FormattableString.Invariant($"The disk budget must be positive. It is {DiskBytes}."));
        }

        if (MemoryBytes < MinMemoryBytes)
        {
            yield return (nameof(MemoryBytes), FormattableString.Invariant($"The memory of a cache must be at least 1 MB. It is {MemoryBytes}."));
        }

        if (SegmentBytes is { } segment && !(segment is >= MinSegmentBytes and <= MaxSegmentBytes && BitOperations.IsPow2(segment)))
        {
            yield return (nameof(SegmentBytes), FormattableString.Invariant($"A segment's size must be a power of two from {MinSegmentBytes} to {MaxSegmentBytes} bytes. It is {segment}."));
        }

        if (MaxEntryBytes <= 0)
        {
            yield return (nameof(MaxEntryBytes), FormattableString.Invariant($"The largest entry must have a byte at least. It is {MaxEntryBytes}."));
        }

        if (ExpectedEntries <= 0)
        {
            yield return (nameof(ExpectedEntries), FormattableString.Invariant($"The number must be positive. It is {ExpectedEntries}."));
        }

        if (TimeProvider is null)
        {
            yield return (nameof(TimeProvider), "It must be a clock. It is null.");
        }

        if (SegmentTimeout < TimeSpan.Zero || SegmentTimeout.TotalDays > MaxTimeoutDays)
        {
            yield return (nameof(SegmentTimeout), FormattableString.Invariant($"The time must be from 0 to {MaxTimeoutDays} days. It is {SegmentTimeout}."));
        }
    }

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
}
