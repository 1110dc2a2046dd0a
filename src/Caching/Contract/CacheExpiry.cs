namespace BufferedMessages.Caching;

/// <summary>
/// The expiry of an entry: never, at a time, after a time, or when it was not read for a while. The default value means
/// <see cref="MessageCacheOptions.DefaultExpiry"/>. Times are kept in milliseconds; a time after the year 9999 means never.
/// </summary>
public readonly struct CacheExpiry
{
    private readonly bool _isNever;
    private readonly DateTimeOffset? _at;
    private readonly TimeSpan? _after;
    private readonly TimeSpan? _window;

    private CacheExpiry(bool isNever, DateTimeOffset? at, TimeSpan? after, TimeSpan? window)
    {
        _isNever = isNever;
        _at = at;
        _after = after;
        _window = window;
    }

    /// <summary>Gets the expiry of an entry that stays until it is removed, replaced, or evicted.</summary>
    public static CacheExpiry Never { get; } = new(isNever: true, at: null, after: null, window: null);

    /// <summary>Gets whether this is the default value, which means the cache's own expiry.</summary>
    public bool IsDefault => !_isNever && _at is null && _after is null && _window is null;

    /// <summary>Creates an expiry at a time. Setting an entry with a time in the past throws an <see cref="ArgumentOutOfRangeException"/>.</summary>
    public static CacheExpiry At(DateTimeOffset time) => new(isNever: false, time, after: null, window: null);

    /// <summary>Creates an expiry a time after the entry is set.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The time is not positive.</exception>
    public static CacheExpiry After(TimeSpan time) => new(isNever: false, at: null, Positive(time, nameof(time)), window: null);

    /// <summary>Creates an expiry a time after the entry was last read or touched.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The time is not positive.</exception>
    public static CacheExpiry Sliding(TimeSpan window) => new(isNever: false, at: null, after: null, Positive(window, nameof(window)));

    /// <summary>Creates an expiry a time after the entry was last read or touched, and in any case at a fixed time.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The window is not positive.</exception>
    public static CacheExpiry Sliding(TimeSpan window, DateTimeOffset atLatest) => new(isNever: false, atLatest, after: null, Positive(window, nameof(window)));

    /// <summary>Creates an expiry a time after the entry was last read or touched, and in any case a time after it is set.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A time is not positive.</exception>
    public static CacheExpiry Sliding(TimeSpan window, TimeSpan atLatestAfter) =>
        new(isNever: false, at: null, Positive(atLatestAfter, nameof(atLatestAfter)), Positive(window, nameof(window)));

    /// <summary>Calculates the times for an entry that is set now.</summary>
    /// <param name="clock">The clock.</param>
    /// <param name="expiry">The name of the argument in an exception.</param>
    /// <exception cref="ArgumentOutOfRangeException">The time is in the past.</exception>
    internal ExpiryTimes Resolve(TimeProvider clock, string expiry = "expiry")
    {
        if (_isNever || IsDefault)
        {
            return default;
        }

        var now = ExpiryTimes.Now(clock);
        var latest = ExpiryTimes.Never;
        if (_at is { } at)
        {
            latest = at.ToUnixTimeMilliseconds();
            if (latest <= now)
            {
                throw new ArgumentOutOfRangeException(expiry, at, "The entry would be expired already: use a time in the future.");
            }
        }
        else if (_after is { } after)
        {
            latest = ExpiryTimes.Add(now, ExpiryTimes.Milliseconds(after));
        }

        return _window is { } window ? ExpiryTimes.Sliding(now, latest, ExpiryTimes.Milliseconds(window)) : ExpiryTimes.Fixed(latest);
    }

    private static TimeSpan Positive(TimeSpan time, string name) =>
        time > TimeSpan.Zero ? time : throw new ArgumentOutOfRangeException(name, time, "The time must be positive.");
}
