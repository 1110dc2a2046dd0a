namespace BufferedMessages.Caching;

/// <summary>
/// A cache of a host, as its configuration or its code says: <c>services.AddMessageCache&lt;string&gt;(settings => settings.Directory = "cache")</c>.
/// The values are those of <see cref="MessageCacheOptions"/>. They are validated when the host starts, and do not change afterwards.
/// </summary>
public sealed class MessageCacheSettings
{
    private static readonly MessageCacheOptions Defaults = new();

    /// <summary>The directory of the cache, which has it for itself. A relative path begins at the content root of the host, without a host at the current directory.</summary>
    public string Directory { get; set; } = "";

    /// <inheritdoc cref="MessageCacheOptions.DiskBytes" path="/summary"/>
    public long DiskBytes { get; set; } = Defaults.DiskBytes;

    /// <inheritdoc cref="MessageCacheOptions.MemoryBytes" path="/summary"/>
    public long MemoryBytes { get; set; } = Defaults.MemoryBytes;

    /// <inheritdoc cref="MessageCacheOptions.SegmentBytes" path="/summary"/>
    public long? SegmentBytes { get; set; }

    /// <inheritdoc cref="MessageCacheOptions.MaxEntryBytes" path="/summary"/>
    public int? MaxEntryBytes { get; set; }

    /// <inheritdoc cref="MessageCacheOptions.ExpectedEntries" path="/summary"/>
    public long ExpectedEntries { get; set; } = Defaults.ExpectedEntries;

    /// <summary>How long after it was set an entry expires that is set without an expiry. Null for never.</summary>
    public TimeSpan? DefaultExpiration { get; set; }

    /// <summary>How long after it was read last an entry expires that is set without an expiry. Null when reads do not prolong it.</summary>
    public TimeSpan? DefaultSlidingExpiration { get; set; }

    /// <inheritdoc cref="MessageCacheOptions.VerifyEveryRead" path="/summary"/>
    public bool VerifyEveryRead { get; set; }

    /// <inheritdoc cref="MessageCacheOptions.SegmentTimeout" path="/summary"/>
    public TimeSpan SegmentTimeout { get; set; } = Defaults.SegmentTimeout;

    /// <summary>The cache is opened for reading only, while another process writes to it; that one has to open it first.</summary>
    public bool IsReadOnly { get; set; }

    /// <summary>The clock of expiry. Null takes the <see cref="System.TimeProvider"/> among the services, and the system's when there is none.</summary>
    public TimeProvider? TimeProvider { get; set; }

    /// <summary>When entries expire that are set without an expiry; never, if a time is not positive.</summary>
    private CacheExpiry DefaultExpiry => (DefaultSlidingExpiration, DefaultExpiration) switch
    {
        _ when DefaultSlidingExpiration <= TimeSpan.Zero || DefaultExpiration <= TimeSpan.Zero => CacheExpiry.Never,
        ({ } window, { } after) => CacheExpiry.Sliding(window, after),
        ({ } window, null) => CacheExpiry.Sliding(window),
        (null, { } after) => CacheExpiry.After(after),
        _ => CacheExpiry.Never,
    };

    /// <summary>Makes the options of the cache.</summary>
    /// <param name="name">The name of the cache in metrics; null takes the name of its directory.</param>
    /// <param name="clock">The clock when the settings have none.</param>
    internal MessageCacheOptions ToOptions(string? name, TimeProvider clock) => new()
    {
        Name = name,
        DiskBytes = DiskBytes,
        MemoryBytes = MemoryBytes,
        SegmentBytes = SegmentBytes,
        MaxEntryBytes = MaxEntryBytes,
        ExpectedEntries = ExpectedEntries,
        DefaultExpiry = DefaultExpiry,
        TimeProvider = TimeProvider ?? clock,
        VerifyEveryRead = VerifyEveryRead,
        SegmentTimeout = SegmentTimeout,
    };
}
