using System.Numerics;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>The options of a cache. They are checked and copied when the cache is opened; later changes have no effect on it.</summary>
public sealed class MessageCacheOptions
{
    /// <summary>The largest number of segments of a cache.</summary>
    internal const int MaxSegments = 8192;

    private const int MinSegments = 6;
    private const long MinSegmentBytes = 64 * 1024;
    private const long MaxSegmentBytes = 1024 * 1024 * 1024;
    private const long MaxDefaultSegmentBytes = 64 * 1024 * 1024;
    private const int DefaultSegments = 64;
    private const int MinMemoryBytes = 1024 * 1024;
    private const int MaxTimeoutDays = 24;

    /// <summary>The maximum size of all segments, a terabyte: the index refers to them by 36 bits, in units of 16 bytes.</summary>
    internal const long MaxBytes = 1L << 40;

    // An index of 172 GB. Files of much larger ones cannot be numbered.
    private const long MaxExpectedEntries = 10_000_000_000;

    /// <summary>Gets or sets the name of the cache in metrics. Null uses the name of its directory.</summary>
    public string? Name { get; set; }

    /// <summary>
    /// Gets or sets the maximum size of the segment files on the disk in bytes; 1 GB by default. A cache has 6 to 8192 whole segments, and at most a terabyte. Three of them and an eighth of the
    /// others are a reserve. No entry is evicted while all entries fit into the rest and each takes at most a sixteenth of a segment. The index needs another 16 to 32 bytes for each entry, and
    /// the file of records that are not in their segments yet up to 1.2 MB.
    /// </summary>
    public long DiskBytes { get; set; } = 1024L * 1024 * 1024;

    /// <summary>
    /// Gets or sets the maximum number of segment bytes that this process keeps in memory, at least 1 MB; 256 MB by default. Other bytes are given back to the system, which may keep them in its
    /// file cache. The limit holds on Linux; other systems decide themselves. It does not include the index, or the marks of replaced records, which take a 256th of the files.
    /// </summary>
    public long MemoryBytes { get; set; } = 256L * 1024 * 1024;

    /// <summary>
    /// Gets or sets the size of a segment in bytes: a power of two from 64 KB to 1 GB. Null accepts the size of an existing cache. A new cache then gets segments of 64 KB to 64 MB, so that a disk
    /// budget from 4 MB to 8 GB has 64 to 128 of them.
    /// </summary>
    public long? SegmentBytes { get; set; }

    /// <summary>Gets or sets the maximum size of an entry in bytes: key, value and tags together. Null accepts any entry that fits into a segment.</summary>
    public int? MaxEntryBytes { get; set; }

    /// <summary>Gets or sets the number of entries for which a new cache creates its index, up to 10 billion; 10,000 by default. The index grows when there are more.</summary>
    public long ExpectedEntries { get; set; } = 10_000;

    /// <summary>Gets or sets the expiry of entries that are set without one; <see cref="CacheExpiry.Never"/> by default.</summary>
    public CacheExpiry DefaultExpiry { get; set; } = CacheExpiry.Never;

    /// <summary>Gets or sets the clock for expiry; the system's by default.</summary>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>
    /// Gets or sets whether each read verifies the checksum of its entry. By default, only the first read of an entry after the cache was opened verifies it, and no read of an entry that this
    /// process has written.
    /// </summary>
    public bool VerifyEveryRead { get; set; }

    /// <summary>
    /// Gets or sets how long a set waits while leases hold every segment, up to 24 days; 10 seconds by default. After that it throws a <see cref="TimeoutException"/>. It waits for a segment that is
    /// being emptied for as long as that takes.
    /// </summary>
    public TimeSpan SegmentTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Gets or sets whether several processes share the cache; false by default. All of them must set it. One process owns the cache. The others read in place and send their changes to the owner;
    /// when it is gone, one of them becomes the owner. A change returns when the owner has made it, so that all processes see it.
    /// </summary>
    public bool Shared { get; set; }

    /// <summary>
    /// Gets or sets the Unix mode of the cache's files, for example 0660. Users that may read the files may also enter the folder. The process's mask does not apply, and users that open the cache
    /// later create their files with the same mode. Null accepts the mode of an existing cache, and creates a new one for its owner alone: 0600, or 0660 with a <see cref="FileGroup"/>. The owner
    /// must be able to read and write, and files cannot be executable. An existing folder keeps its mode unless it is empty. A mode that gives other users access also says that they are expected:
    /// their cache in a temporary folder is then not refused. Ignored on Windows.
    /// </summary>
    public UnixFileMode? FileMode { get; set; }

    /// <summary>
    /// Gets or sets the group of the cache's files, by name or by numeric id. This user must be a member of the group, or root. Users that open the cache later also give their files to it. Null
    /// accepts the group of an existing cache, and creates a new one with the group that new files of this process have. Supported only on Linux on x64 and ARM64; ignored on Windows.
    /// </summary>
    public string? FileGroup { get; set; }

    /// <summary>Gets the permissions that the options ask for.</summary>
    internal FilePermissions Permissions => FilePermissions.Asked(FileMode, FileGroup);

    /// <summary>Gets the bytes of a segment of a new cache.</summary>
    internal long NewSegmentBytes =>
        SegmentBytes ?? Math.Clamp((long)BitOperations.RoundUpToPowerOf2((ulong)(DiskBytes / DefaultSegments / 2) + 1), MinSegmentBytes, MaxDefaultSegmentBytes);

    /// <summary>Checks the options and copies them, so that they do not change while a cache is open.</summary>
    /// <exception cref="ArgumentException">An option is out of range; the message names it and its range.</exception>
    internal MessageCacheOptions Validated() =>
        Faults().FirstOrDefault() is { Option: { } option, Text: var text }
            ? throw new ArgumentException($"{option}: {text}")
            : (MessageCacheOptions)MemberwiseClone();

    /// <summary>Finds the faults of single options; <see cref="SegmentsOf"/> checks whether they fit together.</summary>
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
            yield return (nameof(MaxEntryBytes), FormattableString.Invariant($"The largest entry must be at least 1 byte. It is {MaxEntryBytes}."));
        }

        if (ExpectedEntries is <= 0 or > MaxExpectedEntries)
        {
            yield return (nameof(ExpectedEntries), FormattableString.Invariant($"The number must be from 1 to {MaxExpectedEntries}. It is {ExpectedEntries}."));
        }

        if (TimeProvider is null)
        {
            yield return (nameof(TimeProvider), "It must be a clock. It is null.");
        }

        if (SegmentTimeout < TimeSpan.Zero || SegmentTimeout.TotalDays > MaxTimeoutDays)
        {
            yield return (nameof(SegmentTimeout), FormattableString.Invariant($"The time must be from 0 to {MaxTimeoutDays} days. It is {SegmentTimeout}."));
        }

        if (FilePermissions.FaultOf(FileMode, FileGroup) is { } fault)
        {
            yield return fault;
        }
    }

    /// <summary>Gets the maximum number of segments of a size. The locations in the index cover at most a terabyte.</summary>
    internal static int MostSegmentsOf(long segmentBytes) => (int)Math.Min(MaxSegments, MaxBytes / segmentBytes);

    /// <summary>Calculates the number of segments that the disk budget has room for.</summary>
    /// <exception cref="ArgumentException">There would be too few or too many.</exception>
    internal int SegmentsOf(long segmentBytes)
    {
        var segments = DiskBytes / segmentBytes;
        var most = MostSegmentsOf(segmentBytes);
        if (segments >= MinSegments && segments <= most)
        {
            return (int)segments;
        }

        var advice = segments > most && DiskBytes > MaxBytes
            ? "Change DiskBytes: a cache has a terabyte at most."
            : $"Change DiskBytes, or use {(segments < MinSegments ? "smaller" : "larger")} segments (SegmentBytes; a cache that exists keeps the size it was created with).";
        throw new ArgumentException($"A DiskBytes of {DiskBytes} is {segments} segments of {segmentBytes} bytes; a cache has {MinSegments} to {most}. {advice}");
    }
}
