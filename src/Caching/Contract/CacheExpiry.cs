using System.Collections.Immutable;

namespace BufferedMessages.Caching;

/// <summary>
/// The expiry of an entry: never, at a point in time, or some time after the entry was set or last read. The default value means
/// <see cref="MessageCacheOptions.DefaultExpiry"/>. Times are kept in milliseconds; a time after the year 9999 means never.
/// </summary>
/// <remarks>
/// An expiry created by <see cref="At"/> or <see cref="After"/> can also control how <c>GetOrCreate</c> handles values near their end, for example
/// <c>CacheExpiry.After(TimeSpan.FromMinutes(5)) with { StaleIfError = TimeSpan.FromHours(6) }</c>. All other reads see an entry until it expires.
/// </remarks>
public readonly struct CacheExpiry
{
    private readonly EndKind _end;

    // The time in UTC, or the time after the set.
    private readonly long _endTicks;

    // Zero when reads do not prolong the entry.
    private readonly TimeSpan _window;

    private readonly EntryTags? _tags;

    private CacheExpiry(EndKind end, long endTicks, TimeSpan window)
    {
        _end = end;
        _endTicks = endTicks;
        _window = window;
    }

    private CacheExpiry(in CacheExpiry other, EntryTags tags)
    {
        this = other;
        _tags = tags;
    }

    private enum EndKind : byte
    {
        Default,
        Never,
        At,
        After,
    }

    /// <summary>Gets the expiry of an entry that stays until it is removed, replaced, or evicted.</summary>
    public static CacheExpiry Never { get; } = new(EndKind.Never, 0, TimeSpan.Zero);

    /// <summary>Whether this is the default value, which means the cache's own expiry.</summary>
    internal bool IsDefault => _end == EndKind.Default;

    /// <summary>
    /// Gets how long after the expiry <c>GetOrCreate</c> still returns the expired value at once, while one thread creates a new one in the background. With zero, the default, it waits for the new
    /// value. If this or <see cref="StaleIfError"/> is above zero, the entry takes 16 more bytes.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative.</exception>
    /// <exception cref="InvalidOperationException">The expiry is not one by <see cref="At"/> or <see cref="After"/>.</exception>
    public TimeSpan StaleWhileRevalidate { get; init => field = RequireFixed(value, nameof(StaleWhileRevalidate)); }

    /// <summary>
    /// Gets how long after the expiry <c>GetOrCreate</c> still returns the expired value if its callback throws. With zero, the default, the exception reaches the caller.
    /// If this or <see cref="StaleWhileRevalidate"/> is above zero, the entry takes 16 more bytes.
    /// </summary>
    /// <inheritdoc cref="StaleWhileRevalidate" path="/exception"/>
    public TimeSpan StaleIfError { get; init => field = RequireFixed(value, nameof(StaleIfError)); }

    /// <summary>
    /// Gets how long before the expiry a hit of <c>GetOrCreate</c> has one thread create a new value in the background. With zero, the default, the value expires first.
    /// </summary>
    /// <inheritdoc cref="StaleWhileRevalidate" path="/exception"/>
    public TimeSpan RefreshAhead { get; init => field = RequireFixed(value, nameof(RefreshAhead)); }

    /// <summary>
    /// Gets the maximum time by which each set extends the lifetime at random, so that entries set together do not expire together. Zero by default.
    /// </summary>
    /// <inheritdoc cref="StaleWhileRevalidate" path="/exception"/>
    public TimeSpan Jitter { get; init => field = RequireFixed(value, nameof(Jitter)); }

    /// <summary>
    /// Gets the tags of the entry, at most 32 different ones. <see cref="MessageCache{TKey}.RemoveByTag"/> removes all entries with a tag. None by default. An expiry that has only tags uses the
    /// cache's own expiry: <c>default(CacheExpiry) with { Tags = ["prices"] }</c>. Reuse an expiry with tags, because it hashes them only once. The tags add 16 bytes to the entry, 2 bytes
    /// for each tag, and up to 7 bytes of padding.
    /// </summary>
    /// <exception cref="ArgumentException">There are more than 32 different tags, or one is null or empty.</exception>
    public ImmutableArray<string> Tags
    {
        get => _tags?.Names ?? [];
        init => _tags = value.IsDefaultOrEmpty ? null
            : value.Any(string.IsNullOrEmpty) ? throw new ArgumentException("A tag is null or empty.", nameof(value))
            : EntryTags.Of(value);
    }

    /// <summary>Gets the bytes of the tags, as they are in a record; none when there are no tags.</summary>
    internal ReadOnlySpan<byte> TagBytes => _tags is null ? default : _tags.Block;

    /// <summary>
    /// Creates an expiry at a point in time. If the time has passed, setting an entry throws an <see cref="ArgumentOutOfRangeException"/>; <c>GetOrCreate</c> returns the value without keeping it.
    /// </summary>
    public static CacheExpiry At(DateTimeOffset time) => new(EndKind.At, time.UtcTicks, TimeSpan.Zero);

    /// <summary>Creates an expiry a given time after the entry is set.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The time is not positive.</exception>
    public static CacheExpiry After(TimeSpan time) => new(EndKind.After, Positive(time, nameof(time)).Ticks, TimeSpan.Zero);

    /// <summary>Creates an expiry a given time after the entry was last read or touched.</summary>
    /// <remarks>A read stores the new time only if more than a sixteenth of the window has passed since it was last stored. So an entry may expire up to a sixteenth of its window early.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">The time is not positive.</exception>
    public static CacheExpiry Sliding(TimeSpan window) => new(EndKind.Never, 0, Positive(window, nameof(window)));

    /// <summary>Creates an expiry a given time after the entry was last read or touched, but at the latest at a point in time.</summary>
    /// <remarks><inheritdoc cref="Sliding(TimeSpan)" path="/remarks/node()"/></remarks>
    /// <exception cref="ArgumentOutOfRangeException">The window is not positive.</exception>
    public static CacheExpiry Sliding(TimeSpan window, DateTimeOffset atLatest) => new(EndKind.At, atLatest.UtcTicks, Positive(window, nameof(window)));

    /// <summary>Creates an expiry a given time after the entry was last read or touched, but at the latest a given time after it is set.</summary>
    /// <remarks><inheritdoc cref="Sliding(TimeSpan)" path="/remarks/node()"/></remarks>
    /// <exception cref="ArgumentOutOfRangeException">A time is not positive.</exception>
    public static CacheExpiry Sliding(TimeSpan window, TimeSpan atLatestAfter) =>
        new(EndKind.After, Positive(atLatestAfter, nameof(atLatestAfter)).Ticks, Positive(window, nameof(window)));

    /// <summary>Replaces the default value with the cache's own expiry.</summary>
    internal CacheExpiry Or(CacheExpiry own) => !IsDefault ? this : _tags is null ? own : new CacheExpiry(in own, _tags);

    /// <summary>Returns the expiry with tags, one of which may be empty.</summary>
    /// <exception cref="ArgumentException">There are more than 32 different tags, or one is null.</exception>
    internal CacheExpiry WithAnyTags(ReadOnlySpan<string> tags) => tags.IsEmpty ? this : new CacheExpiry(in this, EntryTags.Of(ImmutableArray.Create(tags)));

    /// <summary>Returns the expiry with its tags stamped with the number that the clock of tags had when the creation of the value began; 0 if there was no clock yet.</summary>
    internal CacheExpiry BornAt(ulong number) => _tags is null ? this : new CacheExpiry(in this, _tags.BornAt(number == 0 ? TagBlock.BornBeforeClock : number));

    /// <summary>Determines whether the expiry is at a point in time that has passed.</summary>
    internal bool HasPassed(TimeProvider clock) => _end == EndKind.At && _endTicks <= clock.GetUtcNow().UtcTicks;

    /// <summary>Calculates the times for an entry that is set now.</summary>
    /// <param name="clock">The clock.</param>
    /// <param name="expiry">The name of the argument in an exception.</param>
    /// <exception cref="ArgumentOutOfRangeException">The time is in the past.</exception>
    internal ExpiryTimes Resolve(TimeProvider clock, string expiry = "expiry")
    {
        if (_end <= EndKind.Never && _window == TimeSpan.Zero)
        {
            return default;
        }

        var time = clock.GetUtcNow();
        var now = time.ToUnixTimeMilliseconds();
        var end = ExpiryTimes.Never;
        if (_end == EndKind.At)
        {
            var at = new DateTimeOffset(_endTicks, TimeSpan.Zero);
            if (at <= time)
            {
                throw new ArgumentOutOfRangeException(expiry, at, "The entry would be expired already: use a time in the future.");
            }

            end = ExpiryTimes.At(at);
        }
        else if (_end == EndKind.After)
        {
            end = ExpiryTimes.Add(ExpiryTimes.At(time), ExpiryTimes.Milliseconds(new TimeSpan(_endTicks)));
        }

        return _window != TimeSpan.Zero
            ? ExpiryTimes.Sliding(now, end, ExpiryTimes.Milliseconds(_window))
            : ExpiryTimes.Fixed(Jitter == TimeSpan.Zero ? end : Delay(end)).ServedFor(StaleWhileRevalidate > StaleIfError ? StaleWhileRevalidate : StaleIfError);
    }

    private static TimeSpan Positive(TimeSpan time, string name) =>
        time > TimeSpan.Zero ? time : throw new ArgumentOutOfRangeException(name, time, "The time must be positive.");

    private long Delay(long end) => end == ExpiryTimes.Never ? end : ExpiryTimes.Add(end, Random.Shared.NextInt64(ExpiryTimes.Milliseconds(Jitter) + 1));

    private TimeSpan RequireFixed(TimeSpan time, string name) =>
        time < TimeSpan.Zero ? throw new ArgumentOutOfRangeException(name, time, "The time must not be negative.")
        : _window == TimeSpan.Zero && _end is EndKind.At or EndKind.After ? time
        : throw new InvalidOperationException($"{name} applies only to an expiry at a time or after a time. Begin with CacheExpiry.After or CacheExpiry.At.");
}
