using System.Buffers;

namespace BufferedMessages.Caching.Tests.Freshness;

/// <summary>Values that are created in the background, while an earlier one is returned.</summary>
public sealed class BackgroundRefreshTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private static readonly NumberSerializer Numbers = new();
    private static readonly CacheExpiry Revalidated = CacheExpiry.After(TimeSpan.FromMinutes(1)) with { StaleWhileRevalidate = TimeSpan.FromHours(1) };
    private static readonly CacheExpiry Ahead = CacheExpiry.After(TimeSpan.FromMinutes(10)) with { RefreshAhead = TimeSpan.FromMinutes(2) };

    private readonly CacheDirectory _directory = new();
    private readonly ManualClock _clock = new();

    private MessageCacheOptions Options => CacheDirectory.SmallWith(options => options.TimeProvider = _clock);

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task An_expired_value_is_returned_at_once_while_one_thread_creates_a_new_one()
    {
        using var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, Revalidated);
        _clock.Now += TimeSpan.FromMinutes(2);
        var begun = new TaskCompletionSource();
        var calls = 0;
        async ValueTask<int> CreateAsync(string key, CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref calls);
            await begun.Task;
            return 6;
        }

        for (var i = 0; i < 20; i++)
        {
            Assert.Equal(5, await cache.GetOrCreateAsync("key", CreateAsync, Numbers, Revalidated));
        }

        begun.SetResult();
        await UntilIsAsync(cache, 6);
        Assert.Equal(6, await cache.GetOrCreateAsync("key", CreateAsync, Numbers, Revalidated));
        Assert.Equal((1, 20L, 0L), (calls, cache.GetStatistics().Stale, cache.GetStatistics().FailedRefreshes));
    }

    [Fact]
    public async Task A_caller_that_blocks_is_not_held_up_either()
    {
        using var cache = _directory.Open<ReadOnlyMemory<byte>>(Options);
        var key = new byte[] { 1, 2, 3 };
        cache.Set(key, 5, Numbers, Revalidated);
        _clock.Now += TimeSpan.FromMinutes(2);
        using var begun = new ManualResetEventSlim();
        var keys = new List<byte[]>();

        Assert.Equal(5, cache.GetOrCreate(key, CreateLater, Numbers, Revalidated));
        Assert.Equal(5, cache.GetOrCreate(key, CreateLater, Numbers, Revalidated));

        // The memory of the key is the caller's again.
        Array.Clear(key);
        begun.Set();
        await UntilAsync(() => cache.TryGet(new byte[] { 1, 2, 3 }, Numbers, out var value) && value == 6);
        Assert.Equal([1, 2, 3], Assert.Single(keys));

        int CreateLater(ReadOnlyMemory<byte> owned)
        {
            begun.Wait(Generous);
            keys.Add(owned.ToArray());
            return 6;
        }
    }

    [Fact]
    public async Task A_value_older_than_allowed_is_waited_for()
    {
        using var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, Revalidated);
        _clock.Now += TimeSpan.FromMinutes(61);

        Assert.Equal(6, cache.GetOrCreate("key", _ => 6, Numbers, Revalidated));
        cache.Set("key", 5, Numbers, Revalidated);
        _clock.Now += TimeSpan.FromMinutes(61);
        Assert.Equal(7, await cache.GetOrCreateAsync("key", static (_, _) => ValueTask.FromResult(7), Numbers, Revalidated));
    }

    [Fact]
    public async Task A_refresh_that_fails_is_counted_and_the_next_call_begins_another_one()
    {
        using var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, Revalidated);
        _clock.Now += TimeSpan.FromMinutes(2);

        Assert.Equal(5, cache.GetOrCreate("key", _ => throw new FormatException("failed"), Numbers, Revalidated));
        await UntilAsync(() => cache.GetStatistics().FailedRefreshes == 1);
        Assert.IsType<FormatException>(cache.GetStatistics().RefreshFailure);

        await UntilAsync(() => cache.GetOrCreate("key", _ => 6, Numbers, Revalidated) == 6);
    }

    [Fact]
    public async Task A_hit_shortly_before_the_expiry_begins_one_refresh()
    {
        using var cache = _directory.Open<string>(Options);
        var created = 0;
        int Create(string key) => Interlocked.Increment(ref created);
        Assert.Equal(1, cache.GetOrCreate("key", Create, Numbers, Ahead));

        _clock.Now += TimeSpan.FromMinutes(7);
        Assert.Equal(1, cache.GetOrCreate("key", Create, Numbers, Ahead));
        _clock.Now += TimeSpan.FromMinutes(1);
        Assert.Equal(1, cache.GetOrCreate("key", Create, Numbers, Ahead));
        await UntilIsAsync(cache, 2);

        // Fresh for ten minutes again.
        _clock.Now += TimeSpan.FromMinutes(7);
        Assert.Equal(2, cache.GetOrCreate("key", Create, Numbers, Ahead));
        Assert.Equal((2, 0L), (created, cache.GetStatistics().Stale));
    }

    [Fact]
    public async Task When_a_refresh_ahead_of_time_fails_the_value_stays()
    {
        using var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, Ahead);
        _clock.Now += TimeSpan.FromMinutes(9);

        Assert.Equal(5, await cache.GetOrCreateAsync<int>("key", (_, _) => throw new FormatException("failed"), Numbers, Ahead));
        await UntilAsync(() => cache.GetStatistics().FailedRefreshes == 1);

        Assert.True(cache.TryGet("key", Numbers, out var value));
        Assert.Equal(5, value);
    }

    [Fact]
    public async Task A_refresh_does_not_end_with_the_caller_that_began_it()
    {
        using var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, Revalidated);
        _clock.Now += TimeSpan.FromMinutes(2);
        using var cancellation = new CancellationTokenSource();
        var begun = new TaskCompletionSource();
        async ValueTask<int> CreateAsync(string key, CancellationToken cancellationToken)
        {
            await begun.Task.WaitAsync(cancellationToken);
            return 6;
        }

        Assert.Equal(5, await cache.GetOrCreateAsync("key", CreateAsync, Numbers, Revalidated, cancellation.Token));
        await cancellation.CancelAsync();
        begun.SetResult();

        await UntilIsAsync(cache, 6);
    }

    [Fact]
    public async Task A_call_after_a_removal_by_tag_does_not_get_the_value_of_a_refresh_that_began_before_it()
    {
        using var cache = _directory.Open<string>(Options);
        var expiry = Revalidated with { Tags = ["tag"] };
        cache.Set("key", 5, Numbers, expiry);
        _clock.Now += TimeSpan.FromMinutes(2);
        var begun = new TaskCompletionSource();
        var released = new TaskCompletionSource();
        async ValueTask<int> CreateAsync(string key, CancellationToken cancellationToken)
        {
            begun.SetResult();
            await released.Task;
            return 6;
        }

        Assert.Equal(5, await cache.GetOrCreateAsync("key", CreateAsync, Numbers, expiry));
        await begun.Task.WaitAsync(Generous);
        cache.RemoveByTag("tag");
        var after = cache.GetOrCreateAsync("key", static (_, _) => ValueTask.FromResult(7), Numbers, expiry).AsTask();
        released.SetResult();

        Assert.Equal(7, await after);
    }

    [Fact]
    public async Task Closing_the_cache_cancels_refreshes_and_waits_for_their_end()
    {
        var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, Revalidated);
        _clock.Now += TimeSpan.FromMinutes(2);
        var begun = new TaskCompletionSource();
        var isOver = false;
        async ValueTask<int> CreateAsync(string key, CancellationToken cancellationToken)
        {
            begun.SetResult();
            try
            {
                await Task.Delay(Timeout.Infinite, cancellationToken);
                return 6;
            }
            finally
            {
                await Task.Yield();
                Volatile.Write(ref isOver, true);
            }
        }

        Assert.Equal(5, await cache.GetOrCreateAsync("key", CreateAsync, Numbers, Revalidated));
        await begun.Task.WaitAsync(Generous);
        cache.Dispose();
        cache.Dispose();

        Assert.True(Volatile.Read(ref isOver));
        Assert.Equal(0, cache.GetStatistics().FailedRefreshes);
    }

    [Fact]
    public async Task A_caller_that_waits_for_a_refresh_learns_that_the_cache_is_disposed()
    {
        var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, Revalidated);
        _clock.Now += TimeSpan.FromMinutes(2);
        var begun = new TaskCompletionSource();
        async ValueTask<int> CreateAsync(string key, CancellationToken cancellationToken)
        {
            begun.SetResult();
            await Task.Delay(Timeout.Infinite, cancellationToken);
            return 6;
        }

        Assert.Equal(5, await cache.GetOrCreateAsync("key", CreateAsync, Numbers, Revalidated));
        await begun.Task.WaitAsync(Generous);
        cache.Remove("key");
        var waiting = cache.GetOrCreateAsync("key", CreateAsync, Numbers, Revalidated).AsTask();
        cache.Dispose();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.WaitAsync(Generous));
    }

    [Fact]
    public async Task Closing_the_cache_is_not_stopped_by_a_callback_on_the_token_that_fails()
    {
        var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, Revalidated);
        _clock.Now += TimeSpan.FromMinutes(2);
        var begun = new TaskCompletionSource();
        async ValueTask<int> CreateAsync(string key, CancellationToken cancellationToken)
        {
            cancellationToken.Register(static () => throw new FormatException("failed"));
            begun.SetResult();
            await Task.Delay(Timeout.Infinite, cancellationToken);
            return 6;
        }

        Assert.Equal(5, await cache.GetOrCreateAsync("key", CreateAsync, Numbers, Revalidated));
        await begun.Task.WaitAsync(Generous);
        cache.Dispose();

        _directory.Open<string>(Options).Dispose();
    }

    [Fact]
    public async Task A_refresh_may_close_the_cache()
    {
        var cache = _directory.Open<string>(Options);
        cache.Set("key", 5, Numbers, Revalidated);
        _clock.Now += TimeSpan.FromMinutes(2);
        var closed = new TaskCompletionSource();
        int Close(string key)
        {
            cache.Dispose();
            closed.SetResult();
            return 6;
        }

        Assert.Equal(5, cache.GetOrCreate("key", Close, Numbers, Revalidated));

        await closed.Task.WaitAsync(Generous);
        cache.Dispose();
    }

    [Fact]
    public async Task A_refresh_whose_key_is_gone_does_not_keep_the_cache_open()
    {
        var cache = _directory.Open<ReadOnlyMemory<byte>>(Options);
        using var memory = new LostMemory([1, 2, 3]);
        ReadOnlyMemory<byte> key = memory.Memory;
        cache.Set(key, 5, Numbers, Ahead);
        _clock.Now += TimeSpan.FromMinutes(9);

        Assert.Throws<ObjectDisposedException>(() => cache.GetOrCreate(key, static _ => 6, new LosingSerializer(memory), Ahead));

        await Task.Run(cache.Dispose).WaitAsync(Generous);
    }

    private static async Task UntilAsync(Func<bool> isSo)
    {
        var deadline = DateTime.UtcNow + Generous;
        while (!isSo())
        {
            Assert.True(DateTime.UtcNow < deadline);
            await Task.Yield();
        }
    }

    private static Task UntilIsAsync(MessageCache<string> cache, int expected) => UntilAsync(() => cache.TryGet("key", Numbers, out var value) && value == expected);

    private sealed class LostMemory(byte[] bytes) : MemoryManager<byte>
    {
        public bool IsLost { get; set; }

        public override Span<byte> GetSpan()
        {
            ObjectDisposedException.ThrowIf(IsLost, this);
            return bytes;
        }

        public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException();

        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing)
        {
        }
    }

    // The memory of the key is gone once the value is read.
    private sealed class LosingSerializer(LostMemory memory) : ICacheSerializer<int>
    {
        public string Name => Numbers.Name;

        public void Serialize(int value, IBufferWriter<byte> destination) => Numbers.Serialize(value, destination);

        public int Deserialize(ReadOnlySpan<byte> bytes)
        {
            memory.IsLost = true;
            return Numbers.Deserialize(bytes);
        }
    }
}
