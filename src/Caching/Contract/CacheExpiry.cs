using System.Collections.Immutable;

namespace BufferedMessages.Caching;

/// <summary>
/// The expiry of an entry: never, at a time, after a time, or when it was not read for a while. The default value means
/// <see cref="MessageCacheOptions.DefaultExpiry"/>. Times are kept in milliseconds; a time after the year 9999 means never.
/// </summary>
/// <remarks>
/// An expiry by <see cref="At"/> or <see cref="After"/> can also say how <c>GetOrCreate</c> deals with values near their end:
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
    /// Gets the time after the expiry during which <c>GetOrCreate</c> returns the expired value at once, while one thread creates a new value in the background. Zero, the default, makes it wait for
    /// the new value. The entry takes 16 more bytes.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative.</exception>
    /// <exception cref="InvalidOperationException">The expiry is not one by <see cref="At"/> or <see cref="After"/>.</exception>
    public TimeSpan StaleWhileRevalidate { get; init => field = RequireFixed(value, nameof(StaleWhileRevalidate)); }

    /// <summary>
    /// Gets the time after the expiry during which <c>GetOrCreate</c> returns the expired value when its callback throws an exception. Zero, the default, lets the exception through. The entry
    /// takes 16 more bytes.
    /// </summary>
    /// <inheritdoc cref="StaleWhileRevalidate" path="/exception"/>
    public TimeSpan StaleIfError { get; init => field = RequireFixed(value, nameof(StaleIfError)); }

    /// <summary>
    /// Gets the time before the expiry from which on a hit of <c>GetOrCreate</c> lets one thread create a new value in the background. Zero, the default, lets the value expire first.
    /// </summary>
    /// <inheritdoc cref="StaleWhileRevalidate" path="/exception"/>
    public TimeSpan RefreshAhead { get; init => field = RequireFixed(value, nameof(RefreshAhead)); }

    /// <summary>
    /// Gets the longest time by which each set prolongs the lifetime at random, so that entries which were set together do not expire together. Zero by default.
    /// </summary>
    /// <inheritdoc cref="StaleWhileRevalidate" path="/exception"/>
    public TimeSpan Jitter { get; init => field = RequireFixed(value, nameof(Jitter)); }

    /// <summary>
    /// Gets the tags of the entry, at most 32 different ones: <see cref="MessageCache{TKey}.RemoveByTag"/> ends all entries with a tag. None by default. With the default value of the rest they are for
    /// the cache's own expiry: <c>default(CacheExpiry) with { Tags = ["prices"] }</c>. Keep the expiry and use it again, because it hashes its tags once. Together they take 16 bytes of the entry, 2 for each, and up to 7 before them.
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

    /// <summary>Creates an expiry at a time. Setting an entry with a time in the past throws an <see cref="ArgumentOutOfRangeException"/>; <c>GetOrCreate</c> returns its value and does not keep it.</summary>
    public static CacheExpiry At(DateTimeOffset time) => new(EndKind.At, time.UtcTicks, TimeSpan.Zero);

    /// <summary>Creates an expiry a time after the entry is set.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The time is not positive.</exception>
    public static CacheExpiry After(TimeSpan time) => new(EndKind.After, Positive(time, nameof(time)).Ticks, TimeSpan.Zero);

    /// <summary>Creates an expiry a time after the entry was last read or touched.</summary>
    /// <remarks>A read writes the new time when more than a sixteenth of the window has passed since it was last written. So an entry may expire a sixteenth of its window early.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">The time is not positive.</exception>
    public static CacheExpiry Sliding(TimeSpan window) => new(EndKind.Never, 0, Positive(window, nameof(window)));

    /// <summary>Creates an expiry a time after the entry was last read or touched, and in any case at a fixed time.</summary>
    /// <remarks><inheritdoc cref="Sliding(TimeSpan)" path="/remarks/node()"/></remarks>
    /// <exception cref="ArgumentOutOfRangeException">The window is not positive.</exception>
    public static CacheExpiry Sliding(TimeSpan window, DateTimeOffset atLatest) => new(EndKind.At, atLatest.UtcTicks, Positive(window, nameof(window)));

    /// <summary>Creates an expiry a time after the entry was last read or touched, and in any case a time after it is set.</summary>
    /// <remarks><inheritdoc cref="Sliding(TimeSpan)" path="/remarks/node()"/></remarks>
    /// <exception cref="ArgumentOutOfRangeException">A time is not positive.</exception>
    public static CacheExpiry Sliding(TimeSpan window, TimeSpan atLatestAfter) =>
        new(EndKind.After, Positive(atLatestAfter, nameof(atLatestAfter)).Ticks, Positive(window, nameof(window)));

    /// <summary>Replaces the default value by the cache's own expiry.</summary>
    internal CacheExpiry Or(CacheExpiry own) => !IsDefault ? this : _tags is null ? own : new CacheExpiry(in own, _tags);

    /// <summary>Gives the expiry tags, of which one may be empty.</summary>
    /// <exception cref="ArgumentException">There are more than 32 different tags, or one is null.</exception>
    internal CacheExpiry WithAnyTags(ReadOnlySpan<string> tags) => tags.IsEmpty ? this : new CacheExpiry(in this, EntryTags.Of(ImmutableArray.Create(tags)));

    /// <summary>Makes the tags those of a value whose creation began at a number of the clock of tags; 0 when there was no clock yet.</summary>
    internal CacheExpiry BornAt(ulong number) => _tags is null ? this : new CacheExpiry(in this, _tags.BornAt(number == 0 ? TagBlock.BornBeforeClock : number));

    /// <summary>Says whether it is a time that has passed.</summary>
    internal bool HasPassed(TimeProvider clock) => _end == EndKind.At && new DateTimeOffset(_endTicks, TimeSpan.Zero).ToUnixTimeMilliseconds() <= ExpiryTimes.Now(clock);

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

        var now = ExpiryTimes.Now(clock);
        var end = ExpiryTimes.Never;
        if (_end == EndKind.At)
        {
            var at = new DateTimeOffset(_endTicks, TimeSpan.Zero);
            end = at.ToUnixTimeMilliseconds();
            if (end <= now)
            {
                throw new ArgumentOutOfRangeException(expiry, at, "The entry would be expired already: use a time in the future.");
            }
        }
        else if (_end == EndKind.After)
        {
            end = ExpiryTimes.Add(now, ExpiryTimes.Milliseconds(new TimeSpan(_endTicks)));
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
        : throw new InvalidOperationException($"{name} is for an expiry at a time or after a time. Begin with CacheExpiry.After or CacheExpiry.At.");
}
