namespace BufferedMessages.Caching.Tests.Freshness;

/// <summary>Expired values that are returned when creation fails, or while a new value is created.</summary>
public sealed class StaleValueTests : IDisposable
{
    private static readonly NumberSerializer Numbers = new();
    private static readonly CacheExpiry FailSafe = CacheExpiry.After(TimeSpan.FromMinutes(1)) with { StaleIfError = TimeSpan.FromHours(1) };
    private static readonly CacheExpiry Revalidated = CacheExpiry.After(TimeSpan.FromMinutes(1)) with { StaleWhileRevalidate = TimeSpan.FromHours(1) };

    private readonly CacheDirectory _directory = new();
    private readonly ManualClock _clock = new();

    private MessageCacheOptions Options => CacheDirectory.SmallWith(options => options.TimeProvider = _clock);

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task When_creation_fails_the_expired_value_is_returned_until_its_longest_age()
    {
        using var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, FailSafe);
        _clock.Now += TimeSpan.FromMinutes(60);

        Assert.Equal(5, cache.GetOrCreate("key", Fail, Numbers, FailSafe));
        Assert.Equal(5, await cache.GetOrCreateAsync("key", FailAsync, Numbers, FailSafe));
        Assert.True(cache.GetStatistics() is { Stale: 2, FailedRefreshes: 2 });
        Assert.Throws<FormatException>(() => cache.GetOrCreate("key", Fail, Numbers, CacheExpiry.After(TimeSpan.FromMinutes(1)) with { StaleIfError = TimeSpan.FromMinutes(59) }));

        _clock.Now += TimeSpan.FromMinutes(1);
        Assert.Throws<FormatException>(() => cache.GetOrCreate("key", Fail, Numbers, FailSafe));
        await Assert.ThrowsAsync<FormatException>(() => cache.GetOrCreateAsync("key", FailAsync, Numbers, FailSafe).AsTask());
        Assert.True(cache.GetStatistics() is { Stale: 2, FailedRefreshes: 2 });
    }

    [Fact]
    public void When_creation_succeeds_again_the_new_value_is_returned()
    {
        using var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, FailSafe);
        _clock.Now += TimeSpan.FromMinutes(2);
        Assert.Equal(5, cache.GetOrCreate("key", Fail, Numbers, FailSafe));

        Assert.Equal(6, cache.GetOrCreate("key", _ => 6, Numbers, FailSafe));
        Assert.Equal(6, cache.GetOrCreate("key", Fail, Numbers, FailSafe));
    }

    [Fact]
    public async Task Of_many_callers_that_wait_for_a_creation_that_fails_each_gets_the_expired_value()
    {
        using var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, FailSafe);
        _clock.Now += TimeSpan.FromMinutes(2);
        var begun = new TaskCompletionSource();
        var calls = 0;
        async ValueTask<int> FailLater(string key, CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref calls);
            await begun.Task;
            throw new FormatException("failed");
        }

        var callers = Enumerable.Range(0, 20).Select(_ => cache.GetOrCreateAsync("key", FailLater, Numbers, FailSafe).AsTask()).ToArray();
        begun.SetResult();

        Assert.All(await Task.WhenAll(callers), value => Assert.Equal(5, value));
        Assert.Equal((1, 1L), (calls, cache.GetStatistics().FailedRefreshes));
    }

    [Fact]
    public async Task A_creation_that_its_caller_cancels_is_not_a_failure()
    {
        using var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, FailSafe);
        _clock.Now += TimeSpan.FromMinutes(2);
        using var cancellation = new CancellationTokenSource();
        var begun = new TaskCompletionSource();
        var caller = cache.GetOrCreateAsync("key", CreateAsync, Numbers, FailSafe, cancellation.Token).AsTask();
        await begun.Task;
        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => caller);
        Assert.Equal(6, await cache.GetOrCreateAsync("key", static (_, _) => ValueTask.FromResult(6), Numbers, FailSafe));
        Assert.Equal(0, cache.GetStatistics().FailedRefreshes);

        async ValueTask<int> CreateAsync(string key, CancellationToken cancellationToken)
        {
            begun.SetResult();
            await Task.Delay(Timeout.Infinite, cancellationToken);
            return 0;
        }
    }

    [Fact]
    public void Other_reads_do_not_see_the_expired_value()
    {
        using var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, FailSafe);
        _clock.Now += TimeSpan.FromMinutes(1);

        Assert.False(cache.TryGet("key", Numbers, out _));
        Assert.False(cache.Contains("key"));
        Assert.False(cache.Touch("key"));
        Assert.Empty(cache.Keys);
        Assert.Equal(7, cache.GetOrCreate("key", _ => 7, Numbers, CacheExpiry.After(TimeSpan.FromMinutes(1))));
    }

    [Fact]
    public void A_value_that_was_set_without_a_longest_age_ends_with_its_expiry()
    {
        using var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, CacheExpiry.After(TimeSpan.FromMinutes(1)));
        _clock.Now += TimeSpan.FromMinutes(1);

        Assert.Throws<FormatException>(() => cache.GetOrCreate("key", Fail, Numbers, FailSafe));
    }

    [Fact]
    public void The_room_of_a_value_beyond_its_longest_age_is_given_up()
    {
        using var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, FailSafe);
        _clock.Now += TimeSpan.FromMinutes(2);
        cache.TryGet("key", Numbers, out _);
        Assert.Equal(1, cache.Count);

        _clock.Now += TimeSpan.FromHours(1);
        cache.TryGet("key", Numbers, out _);

        Assert.Equal(0, cache.Count);
    }

    [Fact]
    public void Expired_values_that_may_be_served_are_carried_over_and_survive_a_restart()
    {
        using (var cache = _directory.Open<int>(Options))
        {
            // Some are in each segment.
            for (var i = 0; i < 1_000; i++)
            {
                cache.Set(1000 + (i % 10), Values.Of(i, 1_000));
                if (i % 10 == 0)
                {
                    cache.Set(i / 10, i / 10, Numbers, FailSafe);
                }
            }

            _clock.Now += TimeSpan.FromMinutes(2);
            for (var i = 0; i < 5_000; i++)
            {
                cache.Set(1000 + (i % 10), Values.Of(i, 1_000));
            }

            Assert.True(cache.GetStatistics() is { Carried: >= 50, Evicted: 0 });
        }

        using var again = _directory.Open<int>(Options);
        Assert.All(Enumerable.Range(0, 100), key => Assert.Equal(key, again.GetOrCreate(key, _ => throw new FormatException("failed"), Numbers, FailSafe)));
    }

    [Fact]
    public async Task An_expired_message_is_returned_as_an_object()
    {
        using var cache = _directory.Open<int>(Options);
        cache.Set(3, new Order { Id = 3, Note = "old" }, FailSafe);
        _clock.Now += TimeSpan.FromMinutes(2);

        Assert.Equal("old", cache.GetOrCreate<OrderBufferedMessage, Order>(3, _ => throw new FormatException("failed"), view => view.ToOrder(), FailSafe).Note);
        Assert.Equal("old", (await cache.GetOrCreateAsync<OrderBufferedMessage, Order>(3, (_, _) => throw new FormatException("failed"), view => view.ToOrder(), FailSafe)).Note);
    }

    [Fact]
    public async Task The_expiry_of_the_cache_can_let_values_be_stale()
    {
        using var cache = _directory.Open<string>(CacheDirectory.SmallWith(options =>
        {
            options.TimeProvider = _clock;
            options.DefaultExpiry = FailSafe;
        }));
        Assert.Equal(5, cache.GetOrCreate("key", _ => 5, Numbers));
        _clock.Now += TimeSpan.FromMinutes(2);

        Assert.Equal(5, cache.GetOrCreate("key", Fail, Numbers));
        Assert.Equal(5, await cache.GetOrCreateAsync("key", FailAsync, Numbers));
    }

    [Fact]
    public void An_expired_value_of_another_serializer_is_not_returned()
    {
        using var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, new JsonCacheSerializer<int>(), FailSafe);
        _clock.Now += TimeSpan.FromMinutes(2);

        Assert.Throws<FormatException>(() => cache.GetOrCreate("key", Fail, Numbers, FailSafe));
    }

    [Fact]
    public void A_damaged_expired_value_is_not_returned()
    {
        using (var cache = _directory.Open<string>(Options))
        {
            cache.Set("key", 0x5A5A5A5A, Numbers, FailSafe);
        }

        var path = Directory.GetFiles(_directory, "*.segment").Single(file => File.ReadAllBytes(file).AsSpan().IndexOf("ZZZZ"u8) >= 0);
        var bytes = File.ReadAllBytes(path);
        bytes[bytes.AsSpan().IndexOf("ZZZZ"u8)]++;
        File.WriteAllBytes(path, bytes);
        _clock.Now += TimeSpan.FromMinutes(2);

        using var again = _directory.Open<string>(Options);
        Assert.Throws<FormatException>(() => again.GetOrCreate("key", Fail, Numbers, FailSafe));
    }

    [Fact]
    public void All_processes_of_a_shared_cache_keep_expired_values()
    {
        MessageCacheOptions Shared() => CacheDirectory.SmallWith(options =>
        {
            options.TimeProvider = _clock;
            options.Shared = true;
        });
        using var owner = _directory.Open<string>(Shared());
        using var other = _directory.Open<string>(Shared());
        other.Set("key", 5, Numbers, FailSafe);
        other.Set("other", 6, Numbers, Revalidated);
        _clock.Now += TimeSpan.FromMinutes(2);

        Assert.False(other.TryGet("key", Numbers, out _));
        Assert.Equal(5, owner.GetOrCreate("key", Fail, Numbers, FailSafe));
        Assert.Equal(5, other.GetOrCreate("key", Fail, Numbers, FailSafe));
        Assert.Equal(6, other.GetOrCreate("other", _ => 7, Numbers, Revalidated));
        Assert.True(SpinWait.SpinUntil(() => owner.TryGet("other", Numbers, out var value) && value == 7, TimeSpan.FromSeconds(60)));
    }

    private static int Fail(string key) => throw new FormatException("failed");

    private static ValueTask<int> FailAsync(string key, CancellationToken cancellationToken) => throw new FormatException("failed");
}
