namespace BufferedMessages.Caching.Tests.Freshness;

public sealed class ExpiryRuleTests : IDisposable
{
    private readonly CacheDirectory _directory = new();
    private readonly ManualClock _clock = new();

    private MessageCacheOptions Options => CacheDirectory.SmallWith(options => options.TimeProvider = _clock);

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Jitter_spreads_the_ends_of_lifetimes_over_its_time()
    {
        using var cache = _directory.Open<int>(Options);
        var expiry = CacheExpiry.After(TimeSpan.FromMinutes(10)) with { Jitter = TimeSpan.FromMinutes(1) };
        var ends = new HashSet<DateTimeOffset>();
        for (var key = 0; key < 200; key++)
        {
            cache.Set(key, "value"u8, expiry);
            Assert.True(cache.TryGet(key, out var lease));
            ends.Add(lease.ExpiresAt!.Value);
            lease.Dispose();
        }

        Assert.All(ends, end => Assert.InRange(end - _clock.Now, TimeSpan.FromMinutes(10), TimeSpan.FromMinutes(11)));
        Assert.True(ends.Count > 100);
    }

    [Fact]
    public void Jitter_comes_before_the_time_for_stale_values()
    {
        using var cache = _directory.Open<int>(Options);
        var expiry = CacheExpiry.At(_clock.Now.AddMinutes(1)) with { Jitter = TimeSpan.FromMinutes(1), StaleIfError = TimeSpan.FromMinutes(3) };
        cache.Set(1, 5, new NumberSerializer(), expiry);
        Assert.True(cache.TryGet(1, out var lease));
        var end = lease.ExpiresAt!.Value;
        lease.Dispose();

        _clock.Now = end.AddMinutes(3).AddMilliseconds(-1);
        Assert.Equal(5, cache.GetOrCreate(1, _ => throw new FormatException("failed"), new NumberSerializer(), expiry));
        _clock.Now = end.AddMinutes(3);
        Assert.Throws<FormatException>(() => cache.GetOrCreate(1, _ => throw new FormatException("failed"), new NumberSerializer(), expiry));
    }

    [Fact]
    public void A_time_beyond_the_calendar_lets_a_value_be_stale_for_ever()
    {
        using var cache = _directory.Open<int>(Options);
        var expiry = CacheExpiry.After(TimeSpan.FromMinutes(1)) with { StaleIfError = TimeSpan.MaxValue };
        cache.Set(1, 5, new NumberSerializer(), expiry);
        _clock.Now += TimeSpan.FromDays(300_000);

        Assert.Equal(5, cache.GetOrCreate(1, _ => throw new FormatException("failed"), new NumberSerializer(), expiry));
    }

    [Fact]
    public void An_entry_with_a_time_for_stale_values_is_read_and_touched_as_any_other()
    {
        using var cache = _directory.Open<int>(Options);
        cache.Set(1, Values.Of(1, 100), CacheExpiry.After(TimeSpan.FromMinutes(1)) with { StaleIfError = TimeSpan.FromMinutes(1) });

        Assert.True(cache.Touch(1));
        Assert.True(cache.Touch(1, CacheExpiry.After(TimeSpan.FromMinutes(5))));
        _clock.Now += TimeSpan.FromMinutes(4);
        Assert.Equal(Values.Of(1, 100), cache.Read(1)!);
        _clock.Now += TimeSpan.FromMinutes(1);
        Assert.Null(cache.Read(1));
        Assert.Equal(0, cache.Count);
    }

    [Fact]
    public void A_touch_cannot_change_the_time_for_stale_values()
    {
        using var cache = _directory.Open<int>(Options);
        cache.Set(1, "value"u8);

        Assert.Throws<ArgumentException>(() => cache.Touch(1, CacheExpiry.After(TimeSpan.FromMinutes(5)) with { StaleIfError = TimeSpan.FromMinutes(1) }));
    }

    [Fact]
    public void The_rules_are_for_an_expiry_at_a_time_or_after_one()
    {
        CacheExpiry[] others = [default, CacheExpiry.Never, CacheExpiry.Sliding(TimeSpan.FromMinutes(1)), CacheExpiry.Sliding(TimeSpan.FromMinutes(1), TimeSpan.FromMinutes(2))];

        Assert.All(others, other => Assert.Throws<InvalidOperationException>(() => other with { StaleIfError = TimeSpan.FromMinutes(1) }));
        Assert.All(others, other => Assert.Throws<InvalidOperationException>(() => other with { StaleWhileRevalidate = TimeSpan.FromMinutes(1) }));
        Assert.All(others, other => Assert.Throws<InvalidOperationException>(() => other with { RefreshAhead = TimeSpan.FromMinutes(1) }));
        Assert.All(others, other => Assert.Throws<InvalidOperationException>(() => other with { Jitter = TimeSpan.FromMinutes(1) }));
        Assert.Throws<ArgumentOutOfRangeException>(() => CacheExpiry.After(TimeSpan.FromMinutes(1)) with { Jitter = TimeSpan.FromTicks(-1) });
    }
}
