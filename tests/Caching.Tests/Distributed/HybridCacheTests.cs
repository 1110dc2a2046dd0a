using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace BufferedMessages.Caching.Tests.Distributed;

/// <summary>The cache as the second level of the framework's hybrid cache. Its own first level is passed over where a test is about the second one.</summary>
public sealed class HybridCacheTests : IDisposable
{
    private static readonly HybridCacheEntryOptions SecondLevel = new() { Flags = HybridCacheEntryFlags.DisableLocalCache };

    private readonly CacheDirectory _directory = new();
    private readonly ManualClock _clock = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task A_value_that_one_process_created_is_there_after_a_restart()
    {
        await using (var services = Build())
        {
            Assert.Equal("created", await Get(services, "key", "created"));
            await UntilKept(services, "key");
        }

        await using var again = Build();
        Assert.Equal("created", await Get(again, "key", "created again"));
    }

    [Fact]
    public async Task Values_go_in_and_out_by_buffers_alone()
    {
        await using var services = Build();
        var level = services.GetRequiredService<BuffersOnly>();
        await Get(services, "key", "created");
        await UntilKept(services, "key");

        Assert.Equal("created", await Get(services, "key", "created again"));
        await services.GetRequiredService<HybridCache>().SetAsync("other", new string('x', 30_000), SecondLevel);
        Assert.Equal(new string('x', 30_000), await Get(services, "other", "created"));

        Assert.Equal(0, level.Arrays);
        Assert.Equal(2, level.Sets);
        Assert.True(level.Reads >= 3);
    }

    [Fact]
    public async Task Of_many_callers_one_asks_the_cache_and_creates_the_value()
    {
        await using var services = Build();
        var cache = services.GetRequiredService<HybridCache>();
        var begun = new TaskCompletionSource();
        var created = 0;
        async ValueTask<int> CreateAsync(CancellationToken cancellationToken)
        {
            await begun.Task;
            return Interlocked.Increment(ref created);
        }

        var callers = Enumerable.Range(0, 20).Select(_ => cache.GetOrCreateAsync("key", CreateAsync).AsTask()).ToArray();
        begun.SetResult();

        Assert.All(await Task.WhenAll(callers), value => Assert.Equal(1, value));
        await UntilKept(services, "key");
        Assert.Equal((1, 1), (created, services.GetRequiredService<BuffersOnly>().Sets));
    }

    [Fact]
    public async Task An_entry_ends_with_its_expiration()
    {
        await using var services = Build();
        var cache = services.GetRequiredService<HybridCache>();
        await cache.SetAsync("key", "set", new() { Expiration = TimeSpan.FromMinutes(1), Flags = HybridCacheEntryFlags.DisableLocalCache });

        _clock.Now += TimeSpan.FromSeconds(59);
        Assert.Equal("set", await Get(services, "key", "created"));
        _clock.Now += TimeSpan.FromSeconds(1);

        Assert.Equal("created", await Get(services, "key", "created"));
    }

    [Fact]
    public async Task A_removed_entry_is_gone_from_the_cache_too()
    {
        await using var services = Build();
        var cache = services.GetRequiredService<HybridCache>();
        await cache.SetAsync("key", "set");
        Assert.True(services.GetRequiredService<MessageCache<string>>().Contains("key"));

        await cache.RemoveAsync("key");

        Assert.False(services.GetRequiredService<MessageCache<string>>().Contains("key"));
    }

    [Fact]
    public async Task Entries_that_were_removed_by_their_tag_stay_removed_after_a_restart()
    {
        await using (var services = Build())
        {
            var cache = services.GetRequiredService<HybridCache>();
            await cache.SetAsync("red", "set", SecondLevel, ["warm", "color"]);
            await cache.SetAsync("blue", "set", SecondLevel, ["cold", "color"]);
            _clock.Now += TimeSpan.FromSeconds(1);
            await cache.RemoveByTagAsync("warm");

            Assert.Equal("created", await Get(services, "red", "created", HybridCacheEntryFlags.DisableDistributedCacheWrite));
            Assert.Equal("set", await Get(services, "blue", "created"));
        }

        await using var again = Build();
        Assert.Equal("created", await Get(again, "red", "created"));
        Assert.Equal("set", await Get(again, "blue", "created"));
    }

    [Fact]
    public async Task A_value_that_is_too_large_for_the_cache_is_created_each_time()
    {
        await using var services = Build();

        Assert.Equal(100_000, (await Get(services, "key", new string('x', 100_000))).Length);
        Assert.Equal("created again", await Get(services, "key", "created again"));
    }

    [Fact]
    public async Task A_second_process_of_a_shared_cache_finds_what_the_first_has_set_and_removed_by_tag()
    {
        using var first = ChildProcess.Start(HybridPart.Name, _directory);
        Assert.Equal("open", first.Hear());
        Assert.Equal("done", Ask(first, "set red warm"));
        Assert.Equal("done", Ask(first, "set blue cold"));
        Assert.Equal("done", Ask(first, "untag warm -"));

        using var second = ChildProcess.Start(HybridPart.Name, _directory);
        Assert.Equal("open", second.Hear());
        Assert.Equal("created", Ask(second, "get red warm"));
        Assert.Equal("set", Ask(second, "get blue cold"));

        first.Kill();
        Assert.Equal("set", Ask(second, "get blue cold"));
        Assert.Equal("done", Ask(second, "set green cold"));
        Assert.Equal("set", Ask(second, "get green cold"));
    }

    private static string? Ask(ChildProcess peer, string command)
    {
        peer.Tell(command);
        return peer.Hear();
    }

    private static async Task<string> Get(ServiceProvider services, string key, string created, HybridCacheEntryFlags flags = HybridCacheEntryFlags.None) =>
        await services.GetRequiredService<HybridCache>().GetOrCreateAsync(
            key, _ => ValueTask.FromResult(created), new() { Flags = HybridCacheEntryFlags.DisableLocalCache | flags });

    // The hybrid cache gives a created value to its callers before it sets it.
    private static async Task UntilKept(ServiceProvider services, string key)
    {
        var deadline = Environment.TickCount64 + 60_000;
        while (!services.GetRequiredService<MessageCache<string>>().Contains(key))
        {
            Assert.True(Environment.TickCount64 < deadline, "The value is not kept.");
            await Task.Yield();
        }
    }

    private ServiceProvider Build()
    {
        var services = new ServiceCollection();
        services.AddSingleton<TimeProvider>(_clock);
        services.AddDistributedMessageCache(settings =>
        {
            settings.Directory = _directory;
            settings.SegmentBytes = CacheDirectory.SegmentBytes;
            settings.DiskBytes = 16 * CacheDirectory.SegmentBytes;
        });
        services.AddSingleton<BuffersOnly>();
        services.AddSingleton<IDistributedCache>(static provider => provider.GetRequiredService<BuffersOnly>());
        services.AddHybridCache();
        return services.BuildServiceProvider();
    }
}
