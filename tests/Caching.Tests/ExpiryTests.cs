namespace BufferedMessages.Caching.Tests;

public sealed class ExpiryTests : IDisposable
{
    private readonly CacheDirectory _directory = new();
    private readonly ManualClock _clock = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void An_entry_expires_at_its_time()
    {
        using var cache = Open();
        cache.Set("key", "value"u8, CacheExpiry.At(_clock.Now.AddSeconds(10)));

        _clock.Now += TimeSpan.FromMilliseconds(9_999);
        Assert.NotNull(cache.Read("key"));
        _clock.Now += TimeSpan.FromMilliseconds(1);

        Assert.Null(cache.Read("key"));
        Assert.Equal(1, cache.GetStatistics().Expired);
        Assert.Equal(0, cache.Count);
    }

    [Fact]
    public void An_entry_expires_after_its_time()
    {
        using var cache = Open();
        cache.Set("key", "value"u8, CacheExpiry.After(TimeSpan.FromHours(1)));
        Assert.True(cache.TryGet("key", out var lease));
        Assert.Equal(_clock.Now.AddHours(1), lease.ExpiresAt);
        lease.Dispose();

        _clock.Now += TimeSpan.FromHours(1);

        Assert.False(cache.Contains("key"));
        Assert.Null(cache.Read("key"));
    }

    [Fact]
    public void Reads_keep_a_sliding_entry_alive()
    {
        using var cache = Open();
        cache.Set("key", "value"u8, CacheExpiry.Sliding(TimeSpan.FromMinutes(10)));
        for (var i = 0; i < 100; i++)
        {
            _clock.Now += TimeSpan.FromMinutes(9);
            Assert.NotNull(cache.Read("key"));
        }

        _clock.Now += TimeSpan.FromMinutes(10);

        Assert.Null(cache.Read("key"));
    }

    [Fact]
    public void A_read_prolongs_a_sliding_entry_when_more_than_a_sixteenth_of_its_window_has_passed()
    {
        using var cache = Open();
        cache.Set("key", "value"u8, CacheExpiry.Sliding(TimeSpan.FromMinutes(16)));
        var end = _clock.Now.AddMinutes(16);

        _clock.Now += TimeSpan.FromMinutes(1);
        Assert.Equal(end, EndAfterRead(cache, "key"));
        _clock.Now += TimeSpan.FromMilliseconds(1);

        Assert.Equal(_clock.Now.AddMinutes(16), EndAfterRead(cache, "key"));
    }

    [Fact]
    public void A_sliding_entry_expires_at_its_latest_time()
    {
        using var cache = Open();
        cache.Set("key", "value"u8, CacheExpiry.Sliding(TimeSpan.FromMinutes(10), TimeSpan.FromMinutes(25)));
        cache.Set("other", "value"u8, CacheExpiry.Sliding(TimeSpan.FromMinutes(10), _clock.Now.AddMinutes(25)));
        for (var i = 0; i < 3; i++)
        {
            _clock.Now += TimeSpan.FromMinutes(8);
            Assert.NotNull(cache.Read("key"));
            Assert.NotNull(cache.Read("other"));
        }

        _clock.Now += TimeSpan.FromMinutes(1);

        Assert.Null(cache.Read("key"));
        Assert.Null(cache.Read("other"));
    }

    [Fact]
    public void Touch_prolongs_a_sliding_entry_and_leaves_the_others()
    {
        using var cache = Open();
        cache.Set("sliding", "value"u8, CacheExpiry.Sliding(TimeSpan.FromMinutes(10)));
        cache.Set("fixed", "value"u8, CacheExpiry.After(TimeSpan.FromMinutes(10)));

        _clock.Now += TimeSpan.FromMinutes(9);
        Assert.True(cache.Touch("sliding"));
        Assert.True(cache.Touch("fixed"));
        Assert.False(cache.Touch("missing"));
        _clock.Now += TimeSpan.FromMinutes(9);

        Assert.True(cache.Contains("sliding"));
        Assert.False(cache.Touch("fixed"));
    }

    [Fact]
    public void Touch_gives_another_time()
    {
        using var cache = Open();
        cache.Set("key", "value"u8, CacheExpiry.After(TimeSpan.FromMinutes(1)));

        Assert.True(cache.Touch("key", CacheExpiry.After(TimeSpan.FromHours(2))));
        _clock.Now += TimeSpan.FromHours(1);
        Assert.NotNull(cache.Read("key"));
        Assert.True(cache.Touch("key", CacheExpiry.Never));
        _clock.Now += TimeSpan.FromDays(100);

        Assert.NotNull(cache.Read("key"));
        Assert.Throws<ArgumentException>(() => cache.Touch("key", CacheExpiry.Sliding(TimeSpan.FromMinutes(1))));
    }

    [Fact]
    public void Touch_without_a_time_does_not_shorten_the_life_of_a_sliding_entry()
    {
        using var cache = Open();
        foreach (var (key, expiry) in new[] { ("hour", CacheExpiry.After(TimeSpan.FromHours(1))), ("never", CacheExpiry.Never) })
        {
            cache.Set(key, "value"u8, CacheExpiry.Sliding(TimeSpan.FromMinutes(10)));
            Assert.True(cache.Touch(key, expiry));
            Assert.True(cache.Touch(key));
        }

        _clock.Now += TimeSpan.FromMinutes(30);

        Assert.True(cache.Contains("hour"));
        Assert.True(cache.Contains("never"));
    }

    [Fact]
    public void The_default_expiry_is_that_of_the_options()
    {
        using var cache = Open(CacheExpiry.After(TimeSpan.FromSeconds(5)));
        cache.Set("default", "value"u8);
        cache.Set("never", "value"u8, CacheExpiry.Never);

        _clock.Now += TimeSpan.FromSeconds(5);

        Assert.Null(cache.Read("default"));
        Assert.NotNull(cache.Read("never"));
    }

    [Fact]
    public void Zero_and_negative_times_are_argument_errors()
    {
        foreach (var time in new[] { TimeSpan.Zero, TimeSpan.FromTicks(-1), TimeSpan.MinValue })
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => CacheExpiry.After(time));
            Assert.Throws<ArgumentOutOfRangeException>(() => CacheExpiry.Sliding(time));
            Assert.Throws<ArgumentOutOfRangeException>(() => CacheExpiry.Sliding(TimeSpan.FromSeconds(1), time));
            Assert.Throws<ArgumentOutOfRangeException>(() => CacheExpiry.Sliding(time, TimeSpan.FromSeconds(1)));
        }

        using var cache = Open();
        _clock.Now += TimeSpan.FromTicks(2);
        foreach (var time in new[] { _clock.Now, _clock.Now.AddTicks(-1), _clock.Now.AddMilliseconds(-1), DateTimeOffset.MinValue })
        {
            Assert.Throws<ArgumentOutOfRangeException>("expiry", () => cache.Set("key", "value"u8, CacheExpiry.At(time)));
        }
    }

    [Fact]
    public void The_shortest_times_are_rounded_up()
    {
        using var cache = Open();

        cache.Set("after", "value"u8, CacheExpiry.After(TimeSpan.FromTicks(1)));
        cache.Set("at", "value"u8, CacheExpiry.At(_clock.Now.AddTicks(1)));
        cache.Set("sliding", "value"u8, CacheExpiry.Sliding(TimeSpan.FromTicks(1)));

        Assert.NotNull(cache.Read("at"));
        Assert.NotNull(cache.Read("after"));
        Assert.NotNull(cache.Read("sliding"));
        _clock.Now += TimeSpan.FromMilliseconds(1);
        Assert.Null(cache.Read("at"));
        Assert.Null(cache.Read("after"));
        Assert.Null(cache.Read("sliding"));
    }

    [Fact]
    public void An_entry_that_is_set_between_two_milliseconds_does_not_expire_early()
    {
        using var cache = Open();
        _clock.Now += TimeSpan.FromTicks(1);
        cache.Set("key", "value"u8, CacheExpiry.After(TimeSpan.FromMilliseconds(1)));

        _clock.Now += TimeSpan.FromMilliseconds(1) - TimeSpan.FromTicks(1);
        Assert.NotNull(cache.Read("key"));
        _clock.Now += TimeSpan.FromMilliseconds(1);
        Assert.Null(cache.Read("key"));
    }

    [Fact]
    public void A_time_that_is_damaged_while_a_lease_is_open_is_not_returned()
    {
        using var cache = Open();
        cache.Set("key", "value"u8, CacheExpiry.After(TimeSpan.FromHours(1)));
        Assert.True(cache.TryGet("key", out var lease));
        using (lease)
        {
            lease.Entry.Record.Expiry = ulong.MaxValue;
            Assert.Null(lease.ExpiresAt);
        }
    }

    [Fact]
    public void Times_beyond_the_year_9999_are_never()
    {
        using var cache = Open();
        cache.Set("after", "value"u8, CacheExpiry.After(TimeSpan.MaxValue));
        cache.Set("sliding", "value"u8, CacheExpiry.Sliding(TimeSpan.MaxValue));
        cache.Set("both", "value"u8, CacheExpiry.Sliding(TimeSpan.MaxValue, DateTimeOffset.MaxValue));
        cache.Set("at", "value"u8, CacheExpiry.At(DateTimeOffset.MaxValue));

        _clock.Now = DateTimeOffset.MaxValue.AddMilliseconds(-10);

        Assert.All(["after", "sliding", "both", "at"], key => Assert.NotNull(cache.Read(key)));
    }

    [Fact]
    public async Task A_set_that_races_with_a_read_of_the_expired_entry_is_never_lost()
    {
        using var cache = Open();
        using var stop = new CancellationTokenSource();
        var readers = Enumerable.Range(0, 3).Select(_ => Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                cache.Read("key");
            }
        })).ToArray();

        for (var i = 0; i < 20_000; i++)
        {
            cache.Set("key", "old"u8, CacheExpiry.After(TimeSpan.FromMilliseconds(1)));
            _clock.Now += TimeSpan.FromMilliseconds(1);
            cache.Set("key", BitConverter.GetBytes(i), CacheExpiry.After(TimeSpan.FromHours(1)));
            Assert.Equal(BitConverter.GetBytes(i), cache.Read("key")!);
        }

        await stop.CancelAsync();
        await Task.WhenAll(readers);
    }

    [Fact]
    public void Expiry_outlives_the_process()
    {
        using (var cache = Open())
        {
            cache.Set("short", "value"u8, CacheExpiry.After(TimeSpan.FromMinutes(1)));
            cache.Set("long", "value"u8, CacheExpiry.After(TimeSpan.FromMinutes(3)));
        }

        _clock.Now += TimeSpan.FromMinutes(2);
        using var again = Open();

        Assert.Null(again.Read("short"));
        Assert.NotNull(again.Read("long"));
    }

    private static DateTimeOffset? EndAfterRead(MessageCache<string> cache, string key)
    {
        Assert.True(cache.TryGet(key, out var lease));
        using (lease)
        {
            return lease.ExpiresAt;
        }
    }

    private MessageCache<string> Open(CacheExpiry defaultExpiry = default) =>
        _directory.Open<string>(CacheDirectory.SmallWith(options => { options.TimeProvider = _clock; options.DefaultExpiry = defaultExpiry; }));
}
