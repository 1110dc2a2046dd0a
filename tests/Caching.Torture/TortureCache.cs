namespace BufferedMessages.Caching.Torture;

/// <summary>The cache under torture: small, so that its segments are recycled all the time.</summary>
internal static class TortureCache
{
    public const long SegmentBytes = 1024 * 1024;
    public const long DiskBytes = 24 * SegmentBytes;
    public const long MemoryBytes = 6 * SegmentBytes;

    /// <summary>The keys of the journal. Their entries need less than the budget of live data, so none of them is ever evicted, unless the cache is crowded with others.</summary>
    public const int Keys = 20_000;

    public static MessageCacheOptions Options => new() { SegmentBytes = SegmentBytes, DiskBytes = DiskBytes, MemoryBytes = MemoryBytes, ExpectedEntries = 1_000 };

    /// <summary>Gets the options of processes that share the cache.</summary>
    public static MessageCacheOptions SharedOptions
    {
        get
        {
            var options = Options;
            options.Shared = true;

            // Also the time that a change waits for the owner.
            options.SegmentTimeout = TimeSpan.FromMinutes(1);
            return options;
        }
    }

    public static string CacheOf(string directory) => Path.Combine(directory, "cache");

    public static string JournalOf(string directory) => Path.Combine(directory, "journal");
}
