namespace BufferedMessages.Caching;

/// <summary>
/// The settings of a cache in a host, from its configuration or code: <c>services.AddMessageCache&lt;string&gt;(settings => settings.Directory = "cache")</c>.
/// The values are those of <see cref="MessageCacheOptions"/>. They are validated when the host starts; later changes have no effect.
/// </summary>
public sealed class MessageCacheSettings
{
    private static readonly MessageCacheOptions Defaults = new();

    /// <summary>Gets or sets the directory, which is for this cache alone. A relative path begins at the content root of the host or, without a host, at the current directory.</summary>
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

    /// <summary>Gets or sets how long after a set an entry without an expiry of its own expires. Null for never.</summary>
    public TimeSpan? DefaultExpiration { get; set; }

    /// <summary>Gets or sets how long after its last read an entry without an expiry of its own expires. Null if reads do not extend its lifetime.</summary>
    public TimeSpan? DefaultSlidingExpiration { get; set; }

    /// <summary>
    /// Gets or sets the <see cref="CacheExpiry.StaleIfError"/> of entries without an expiry of their own: how long after it <c>GetOrCreate</c> still returns the expired value if its callback
    /// throws. Zero by default. Requires <see cref="DefaultExpiration"/>, and excludes <see cref="DefaultSlidingExpiration"/>.
    /// </summary>
    public TimeSpan DefaultStaleIfError { get; set; }

    /// <summary>
    /// Gets or sets the <see cref="CacheExpiry.StaleWhileRevalidate"/> of entries without an expiry of their own: how long after it <c>GetOrCreate</c> still returns the expired value while a
    /// new one is created in the background. Zero by default. Requires <see cref="DefaultExpiration"/>, and excludes <see cref="DefaultSlidingExpiration"/>.
    /// </summary>
    public TimeSpan DefaultStaleWhileRevalidate { get; set; }

    /// <summary>
    /// Gets or sets the <see cref="CacheExpiry.RefreshAhead"/> of entries without an expiry of their own: how long before it a hit of <c>GetOrCreate</c> has a new value created in the
    /// background. Zero by default. Requires <see cref="DefaultExpiration"/>, and excludes <see cref="DefaultSlidingExpiration"/>.
    /// </summary>
    public TimeSpan DefaultRefreshAhead { get; set; }

    /// <summary>
    /// Gets or sets the <see cref="CacheExpiry.Jitter"/> of entries without an expiry of their own: the maximum time by which each lifetime is extended at random. Zero by default. Requires
    /// <see cref="DefaultExpiration"/>, and excludes <see cref="DefaultSlidingExpiration"/>.
    /// </summary>
    public TimeSpan DefaultJitter { get; set; }

    /// <inheritdoc cref="MessageCacheOptions.VerifyEveryRead" path="/summary"/>
    public bool VerifyEveryRead { get; set; }

    /// <inheritdoc cref="MessageCacheOptions.SegmentTimeout" path="/summary"/>
    public TimeSpan SegmentTimeout { get; set; } = Defaults.SegmentTimeout;

    /// <inheritdoc cref="MessageCacheOptions.FileMode" path="/summary"/>
    public UnixFileMode? FileMode { get; set; }

    /// <inheritdoc cref="MessageCacheOptions.FileGroup" path="/summary"/>
    public string? FileGroup { get; set; }

    /// <summary>Gets or sets whether the cache is opened for reading only. The process that writes must open it first.</summary>
    public bool IsReadOnly { get; set; }

    /// <inheritdoc cref="MessageCacheOptions.Shared"/>
    public bool Shared { get; set; }

    /// <summary>Gets or sets the clock for expiry. Null uses the <see cref="System.TimeProvider"/> of the services, or the system's if there is none.</summary>
    public TimeProvider? TimeProvider { get; set; }

    // Never, if the times are not valid: the validation finds that first.
    private CacheExpiry DefaultExpiry => (DefaultSlidingExpiration, DefaultExpiration) switch
    {
        _ when ExpiryFaults().Any() => CacheExpiry.Never,
        ({ } window, { } after) => CacheExpiry.Sliding(window, after),
        ({ } window, null) => CacheExpiry.Sliding(window),
        (null, { } after) => CacheExpiry.After(after) with
        {
            StaleIfError = DefaultStaleIfError,
            StaleWhileRevalidate = DefaultStaleWhileRevalidate,
            RefreshAhead = DefaultRefreshAhead,
            Jitter = DefaultJitter,
        },
        _ => CacheExpiry.Never,
    };

    /// <summary>Finds the faults of the default expiry; the options find their own.</summary>
    internal IEnumerable<(string Setting, string Text)> ExpiryFaults()
    {
        if (DefaultExpiration <= TimeSpan.Zero)
        {
            yield return (nameof(DefaultExpiration), FormattableString.Invariant($"The time must be positive. It is {DefaultExpiration}."));
        }

        if (DefaultSlidingExpiration <= TimeSpan.Zero)
        {
            yield return (nameof(DefaultSlidingExpiration), FormattableString.Invariant($"The time must be positive. It is {DefaultSlidingExpiration}."));
        }

        (string Setting, TimeSpan Time)[] times =
        [
            (nameof(DefaultStaleIfError), DefaultStaleIfError),
            (nameof(DefaultStaleWhileRevalidate), DefaultStaleWhileRevalidate),
            (nameof(DefaultRefreshAhead), DefaultRefreshAhead),
            (nameof(DefaultJitter), DefaultJitter),
        ];
        foreach (var (setting, time) in times)
        {
            if (time < TimeSpan.Zero)
            {
                yield return (setting, FormattableString.Invariant($"The time must not be negative. It is {time}."));
            }
            else if (time > TimeSpan.Zero && (DefaultExpiration is null || DefaultSlidingExpiration is not null))
            {
                yield return (setting, $"It is for an expiry after a time. Set {nameof(DefaultExpiration)}, and no {nameof(DefaultSlidingExpiration)}.");
            }
        }
    }

    /// <summary>Creates the options of the cache.</summary>
    /// <param name="name">The name of the cache in metrics; null uses the name of its directory.</param>
    /// <param name="clock">The clock that is used if the settings have none.</param>
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
        Shared = Shared,
        SegmentTimeout = SegmentTimeout,
        FileMode = FileMode,
        FileGroup = FileGroup,
    };
}
