using System.IO.Pipelines;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace BufferedMessages.Caching.Tests;

/// <summary>Output caching over a cache, with real servers and processes.</summary>
public sealed class OutputCacheTests : IDisposable
{
    private readonly CacheDirectory _directory = new();
    private readonly ManualClock _clock = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(0)]
    [InlineData(10)]
    [InlineData(100_000)]
    [InlineData(6_000_000)]
    public async Task A_response_is_served_again_byte_for_byte_with_its_headers(int bytes)
    {
        await using var server = await StartAsync();
        using var made = await server.AskAsync(HttpMethod.Get, $"/logo/{bytes}");
        _clock.Now += TimeSpan.FromMinutes(4);
        using var again = await server.AskAsync(HttpMethod.Get, $"/logo/{bytes}");

        Assert.Equal(bytes, (await made.Content.ReadAsByteArrayAsync()).Length);
        Assert.Equal(await made.Content.ReadAsByteArrayAsync(), await again.Content.ReadAsByteArrayAsync());
        Assert.Equal(made.Headers.ETag, again.Headers.ETag);
        Assert.Equal("image/example", again.Content.Headers.ContentType!.MediaType);
        Assert.NotNull(again.Headers.Age);
        Assert.Equal(1, server.Services.GetRequiredService<MessageCache<string>>().GetStatistics().Hits);
    }

    [Fact]
    public async Task A_response_expires()
    {
        await using var server = await StartAsync();
        var made = await server.GetAsync("/logo/1000");
        _clock.Now += TimeSpan.FromMinutes(5);

        Assert.NotEqual(made, await server.GetAsync("/logo/1000"));
    }

    [Fact]
    public async Task Responses_are_evicted_by_tag()
    {
        await using var server = await StartAsync();
        var logo = await server.GetAsync("/logo/1000");
        var photo = await server.GetAsync("/photo/1000");

        (await server.AskAsync(HttpMethod.Delete, "/logo")).Dispose();

        var second = await server.GetAsync("/logo/1000");
        Assert.NotEqual(logo, second);
        Assert.Equal(second, await server.GetAsync("/logo/1000"));
        Assert.Equal(photo, await server.GetAsync("/photo/1000"));
        (await server.AskAsync(HttpMethod.Delete, "/pages")).Dispose();
        Assert.NotEqual(second, await server.GetAsync("/logo/1000"));
        Assert.NotEqual(photo, await server.GetAsync("/photo/1000"));
    }

    [Fact]
    public async Task A_response_that_does_not_fit_into_a_segment_is_served_and_not_kept()
    {
        await using var server = await StartAsync();
        var made = await server.GetAsync("/logo/9000000");
        var again = await server.GetAsync("/logo/9000000");

        Assert.Equal(9_000_000, again.Length);
        Assert.NotEqual(made, again);
        Assert.Equal(0, server.Services.GetRequiredService<MessageCache<string>>().Count);
    }

    [Fact]
    public async Task A_killed_process_leaves_its_responses_and_evictions_to_the_next_one()
    {
        byte[] kept;
        byte[] evicted;
        using (var client = new HttpClient())
        using (var first = ChildProcess.Start(PageServer.Part, _directory))
        {
            var address = first.Hear()!;
            kept = await GetTwiceAsync(client, $"{address}/logo/1000");
            evicted = await GetTwiceAsync(client, $"{address}/photo/1000");
            (await client.DeleteAsync(new Uri($"{address}/photo"))).EnsureSuccessStatusCode().Dispose();
        }

        await using var next = await PageServer.StartAsync(settings => settings.Directory = _directory);

        Assert.Equal(kept, await next.GetAsync("/logo/1000"));
        Assert.NotEqual(evicted, await next.GetAsync("/photo/1000"));
    }

    [Fact]
    public async Task Processes_that_share_the_cache_serve_and_evict_the_same_responses()
    {
        await using var server = await PageServer.StartAsync(settings => (settings.Directory, settings.Shared) = (_directory, true));
        using var client = new HttpClient();
        using var other = ChildProcess.Start(PageServer.Part, _directory);
        var address = other.Hear()!;

        var ours = await server.GetAsync("/logo/100000");
        Assert.Equal(ours, await client.GetByteArrayAsync(new Uri($"{address}/logo/100000")));
        var theirs = await GetTwiceAsync(client, $"{address}/photo/300000");
        Assert.Equal(theirs, await server.GetAsync("/photo/300000"));

        (await client.DeleteAsync(new Uri($"{address}/logo"))).EnsureSuccessStatusCode().Dispose();
        var second = await server.GetAsync("/logo/100000");
        Assert.NotEqual(ours, second);
        Assert.Equal(second, await client.GetByteArrayAsync(new Uri($"{address}/logo/100000")));
        (await server.AskAsync(HttpMethod.Delete, "/pages")).Dispose();
        Assert.NotEqual(theirs, await client.GetByteArrayAsync(new Uri($"{address}/photo/300000")));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_cache_is_the_store_whether_the_framework_s_own_is_added_before_or_after_it(bool before)
    {
        await using var server = await PageServer.StartAsync(
            settings => settings.Directory = _directory,
            (services, configure) =>
            {
                if (before)
                {
                    services.AddOutputCache();
                }

                services.AddMessageOutputCache("pages", configure);
                services.AddOutputCache();
            });
        await server.GetAsync("/logo/1000");

        Assert.Equal(1, server.Services.GetRequiredKeyedService<MessageCache<string>>("pages").Count);
        Assert.Null(server.Services.GetService<MessageCache<string>>());
    }

    [Fact]
    public async Task A_cache_that_is_open_for_reading_only_is_refused()
    {
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => PageServer.StartAsync(settings => (settings.Directory, settings.IsReadOnly) = (_directory, true)));

        Assert.StartsWith("IsReadOnly of the cache: ", Assert.Single(exception.Failures), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_store_takes_arrays_and_buffers_and_gives_both()
    {
        await using var server = await StartAsync();
        var store = Assert.IsAssignableFrom<IOutputCacheBufferStore>(server.Services.GetRequiredService<IOutputCacheStore>());
        string[] tags = ["a", "b"];
        await store.SetAsync("array", Values.Of(1, 100_000), tags, TimeSpan.FromMinutes(1), default);
        await store.SetAsync("buffer", new(Values.Of(2, 100)), tags.AsMemory(1), TimeSpan.FromMinutes(1), default);
        await store.SetAsync("none", [], null, TimeSpan.FromMinutes(1), default);

        // The middleware takes the array of tags for another response.
        Array.Clear(tags);
        Assert.Equal(Values.Of(1, 100_000), await ReadAsync("array"));
        Assert.Equal(Values.Of(2, 100), await ReadAsync("buffer"));
        Assert.Equal(Values.Of(1, 100_000), await store.GetAsync("array", default));
        Assert.Empty((await store.GetAsync("none", default))!);
        await store.EvictByTagAsync("a", default);
        Assert.Null(await ReadAsync("array"));
        Assert.Equal(Values.Of(2, 100), await store.GetAsync("buffer", default));
        await store.EvictByTagAsync("b", default);
        Assert.Null(await store.GetAsync("buffer", default));
        Assert.NotNull(await store.GetAsync("none", default));

        async Task<byte[]?> ReadAsync(string key)
        {
            var stream = new MemoryStream();
            var writer = PipeWriter.Create(stream);
            return await store.TryGetAsync(key, writer, default) ? stream.ToArray() : null;
        }
    }

    [Fact]
    public async Task A_read_fails_in_its_task()
    {
        await using var server = await StartAsync();
        var store = server.Services.GetRequiredService<IOutputCacheStore>();

        var read = store.GetAsync("key", new CancellationToken(canceled: true)).AsTask();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read);
        Assert.True(read.IsCanceled);
    }

    [Fact]
    public async Task Equal_tags_are_one_and_a_tag_may_be_empty_as_in_the_framework_s_store()
    {
        await using var server = await StartAsync();
        var store = server.Services.GetRequiredService<IOutputCacheStore>();
        await store.SetAsync("empty", Values.Of(1, 100), ["", "a"], TimeSpan.FromMinutes(1), default);
        await store.SetAsync("equal", Values.Of(2, 100), [.. Enumerable.Repeat("b", 40)], TimeSpan.FromMinutes(1), default);
        Assert.Equal(Values.Of(1, 100), await store.GetAsync("empty", default));
        Assert.Equal(Values.Of(2, 100), await store.GetAsync("equal", default));

        await store.EvictByTagAsync("", default);
        Assert.Null(await store.GetAsync("empty", default));
        Assert.Equal(Values.Of(2, 100), await store.GetAsync("equal", default));
        await store.EvictByTagAsync("b", default);
        Assert.Null(await store.GetAsync("equal", default));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await store.EvictByTagAsync(null!, default));
        await Assert.ThrowsAsync<ArgumentException>(
            async () => await store.SetAsync("many", [1], [.. Enumerable.Range(0, 33).Select(static i => $"{i}")], TimeSpan.FromMinutes(1), default));
    }

    [Fact]
    public async Task Evictions_wait_for_the_owner_of_the_cache_without_a_thread_and_until_their_token_is_cancelled()
    {
        const int Each = 40;
        using var clock = new HeldClock();
        using var owner = MessageCache.Open<string>(
            _directory, new MessageCacheOptions { Shared = true, SegmentBytes = 8 << 20, DiskBytes = 64 << 20, MemoryBytes = 32 << 20, TimeProvider = clock });
        await using var server = await PageServer.StartAsync(
            settings => (settings.Directory, settings.Shared, settings.SegmentTimeout) = (_directory, true, TimeSpan.FromMinutes(2)));
        var store = server.Services.GetRequiredService<IOutputCacheStore>();
        try
        {
            var first = store.SetAsync("key", [1], ["a"], TimeSpan.FromMinutes(1), default).AsTask();
            clock.AwaitHeld();
            using var stop = new CancellationTokenSource();
            var evictions = Enumerable.Range(0, Each).Select(_ => store.EvictByTagAsync("b", stop.Token).AsTask()).ToList();
            var last = store.EvictByTagAsync("a", default).AsTask();
            Assert.True(SpinWait.SpinUntil(static () => ThreadPool.PendingWorkItemCount == 0, TimeSpan.FromSeconds(60)), "Work of the thread pool waits for a thread.");
            Assert.All(evictions.Append(last), static eviction => Assert.False(eviction.IsCompleted));

            await stop.CancelAsync();
            foreach (var eviction in evictions)
            {
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => eviction);
            }

            clock.Release();
            await first;
            await last;
            Assert.Null(await store.GetAsync("key", default));
        }
        finally
        {
            clock.Release();
        }
    }

    // Each request got the response of the first, so that was kept: the second found it, or waited until the first was done.
    private static async Task<byte[]> GetTwiceAsync(HttpClient client, string address)
    {
        var made = await client.GetByteArrayAsync(new Uri(address));
        Assert.Equal(made, await client.GetByteArrayAsync(new Uri(address)));
        return made;
    }

    private Task<PageServer> StartAsync() => PageServer.StartAsync(settings =>
    {
        settings.Directory = _directory;
        settings.TimeProvider = _clock;
    });
}
