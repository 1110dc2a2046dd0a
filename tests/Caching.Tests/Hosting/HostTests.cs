using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace BufferedMessages.Caching.Tests.Hosting;

public sealed class HostTests : IDisposable
{
    private readonly CacheDirectory _directory = new();
    private readonly CacheDirectory _second = new();
    private readonly LogLines _log = new("BufferedMessages.Caching.MessageCache");

    public void Dispose()
    {
        _directory.Dispose();
        _second.Dispose();
        _log.Dispose();
    }

    [Fact]
    public async Task A_host_opens_its_cache_when_it_starts_and_closes_it_when_it_is_disposed()
    {
        using (var host = Build(services => services.AddMessageCache<string>(_directory.SetSmall)))
        {
            Assert.False(Directory.Exists(_directory));
            await host.StartAsync();
            Assert.Throws<CacheInUseException>(() => _directory.Open<string>());
            host.Services.GetRequiredService<MessageCache<string>>().Set("key", "value"u8);
            await host.StopAsync();
        }

        using var cache = _directory.Open<string>();
        Assert.Equal("value"u8, cache.Read("key")!);
    }

    [Fact]
    public async Task A_log_that_throws_does_not_keep_a_host_from_its_cache()
    {
        _log.IsFailing = true;
        using var host = Build(services => services.AddMessageCache<string>(_directory.SetSmall));
        await host.StartAsync();
        host.Services.GetRequiredService<MessageCache<string>>().Set("key", "value"u8);
        await host.StopAsync();
        Assert.Equal([1, 8], _log.All.Select(static line => line.Event));
    }

    [Fact]
    public void Without_a_host_a_cache_is_opened_when_it_is_asked_for_and_closed_with_the_services()
    {
        using (var services = new ServiceCollection().AddMessageCache<int>(_directory.SetSmall).Services.BuildServiceProvider())
        {
            Assert.False(Directory.Exists(_directory));
            services.GetRequiredService<MessageCache<int>>().Set(1, "value"u8);
            Assert.Same(services.GetRequiredService<MessageCache<int>>(), services.GetRequiredService<MessageCache<int>>());
        }

        using var cache = _directory.Open<int>();
        Assert.Equal("value"u8, cache.Read(1)!);
    }

    [Fact]
    public async Task Caches_with_names_are_told_apart()
    {
        using var host = Build(services =>
        {
            services.AddMessageCache<int>("orders", _directory.SetSmall);
            services.AddMessageCache<Guid>("sessions", settings => settings.Directory = _second);
        });
        await host.StartAsync();

        Assert.Equal("orders", host.Services.GetRequiredKeyedService<MessageCache<int>>("orders").Name);
        Assert.Equal((string)_second, host.Services.GetRequiredKeyedService<MessageCache<Guid>>("sessions").Directory);
        Assert.Null(host.Services.GetService<MessageCache<int>>());
    }

    [Fact]
    public void One_name_for_two_kinds_of_keys_is_refused()
    {
        var services = new ServiceCollection();
        services.AddMessageCache<int>("orders", _directory.SetSmall);
        services.AddMessageCache<string>(_directory.SetSmall);

        var named = Assert.Throws<InvalidOperationException>(() => services.AddMessageCache<long>("orders", _directory.SetSmall));
        var unnamed = Assert.Throws<InvalidOperationException>(() => services.AddMessageCache<long>(_directory.SetSmall));

        Assert.Contains("another name", named.Message, StringComparison.Ordinal);
        Assert.Contains("a name", unnamed.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Adding_a_cache_twice_is_one_cache_with_both_settings()
    {
        using var host = Build(services =>
        {
            services.AddMessageCache<string>(_directory.SetSmall);
            services.AddDistributedMessageCache(settings => settings.DefaultExpiration = TimeSpan.FromMinutes(1));
        });
        await host.StartAsync();

        var cache = host.Services.GetRequiredService<MessageCache<string>>();
        cache.Set("key", "value"u8);

        Assert.True(cache.TryGet("key", out var lease));
        Assert.NotNull(lease.ExpiresAt);
        lease.Dispose();
        Assert.Single(_log.Of(1));
    }

    [Fact]
    public async Task A_distributed_cache_is_found_as_hybrid_caches_look_for_it()
    {
        using var host = Build(services => services.AddDistributedMessageCache(_directory.SetSmall));
        await host.StartAsync();

        var distributed = host.Services.GetRequiredService<IDistributedCache>();
        await distributed.SetAsync("key", [1, 2, 3]);

        Assert.IsAssignableFrom<IBufferDistributedCache>(distributed);
        Assert.Same(distributed, host.Services.GetRequiredService<IBufferDistributedCache>());
        Assert.Equal([1, 2, 3], host.Services.GetRequiredService<MessageCache<string>>().Read("key"));
    }

    [Fact]
    public async Task Distributed_caches_with_names_are_told_apart()
    {
        using var host = Build(services =>
        {
            services.AddDistributedMessageCache("pages", _directory.SetSmall);
            services.AddDistributedMessageCache("sessions", settings => settings.Directory = _second);
        });
        await host.StartAsync();

        await host.Services.GetRequiredKeyedService<IDistributedCache>("pages").SetAsync("key", [1]);

        Assert.Null(await host.Services.GetRequiredKeyedService<IDistributedCache>("sessions").GetAsync("key"));
        Assert.Equal([1], await host.Services.GetRequiredKeyedService<IBufferDistributedCache>("pages").GetAsync("key"));
        Assert.Null(host.Services.GetService<IDistributedCache>());
    }

    [Fact]
    public async Task Settings_can_come_from_the_configuration()
    {
        using var host = Build(
            services => services.AddMessageCache<string>("orders").BindConfiguration("Caches:Orders"),
            ("Caches:Orders:Directory", _directory),
            ("Caches:Orders:DiskBytes", "1048576"),
            ("Caches:Orders:SegmentBytes", "65536"),
            ("Caches:Orders:DefaultSlidingExpiration", "00:20:00"));
        await host.StartAsync();

        var cache = host.Services.GetRequiredKeyedService<MessageCache<string>>("orders");
        cache.Set("key", "value"u8);

        Assert.Equal(65_536, new FileInfo(Directory.GetFiles(_directory, "*.segment")[0]).Length);
        Assert.True(cache.TryGet("key", out var lease));
        Assert.NotNull(lease.ExpiresAt);
        lease.Dispose();
    }

    [Fact]
    public async Task A_host_with_wrong_settings_does_not_start_and_says_all_that_is_wrong()
    {
        using var host = Build(services => services.AddMessageCache<string>("orders", static settings =>
        {
            settings.MemoryBytes = 1000;
            settings.SegmentBytes = 100_000;
            settings.DefaultExpiration = TimeSpan.Zero;
            settings.DefaultSlidingExpiration = TimeSpan.FromSeconds(-1);
        }));

        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());

        string[] expected =
        [
            "Directory of the cache 'orders': It is not set. Name a directory that the cache has for itself; it is created.",
            "MemoryBytes of the cache 'orders': The memory of a cache must be at least 1 MB. It is 1000.",
            "SegmentBytes of the cache 'orders': A segment's size must be a power of two from 65536 to 1073741824 bytes. It is 100000.",
            "DefaultExpiration of the cache 'orders': The time must be positive. It is 00:00:00.",
            "DefaultSlidingExpiration of the cache 'orders': The time must be positive. It is -00:00:01.",
        ];
        Assert.Equal(expected, exception.Failures);
    }

    [LinuxFact]
    public async Task A_host_whose_cache_has_a_mode_or_a_group_that_files_cannot_have_does_not_start()
    {
        using var host = Build(services => services
            .AddMessageCache<string>("orders", settings => (settings.Directory, settings.FileMode) = (_directory, UnixFileMode.UserRead)).Services
            .AddMessageCache<string>("prices", settings => (settings.Directory, settings.FileGroup) = (_second, "no such group")));

        var exception = await Assert.ThrowsAsync<AggregateException>(() => host.StartAsync());

        string[] expected =
        [
            "FileMode of the cache 'orders': FileMode 0400 is not valid for files: the owner must be able to read and write them, and no user may execute them.",
            "FileGroup of the cache 'prices': Group 'no such group' does not exist on this machine. Create it, or give another FileGroup, as a name or as an id in digits.",
        ];
        Assert.Equal(expected, exception.InnerExceptions.Cast<OptionsValidationException>().SelectMany(static inner => inner.Failures));
    }

    [Fact]
    public void Without_a_host_wrong_settings_are_found_when_the_cache_is_asked_for()
    {
        using var services = new ServiceCollection()
            .AddMessageCache<string>(settings => (settings.Directory, settings.DiskBytes, settings.SegmentBytes) = (_directory, 3 << 20, 1 << 20)).Services
            .BuildServiceProvider();

        var exception = Assert.Throws<OptionsValidationException>(services.GetRequiredService<MessageCache<string>>);

        Assert.Contains("DiskBytes of the cache: A DiskBytes of 3145728 is 3 segments", Assert.Single(exception.Failures), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_host_does_not_start_while_another_has_its_cache()
    {
        using var other = _directory.Open<string>();
        using var host = Build(services => services.AddMessageCache<string>(_directory.SetSmall));

        await Assert.ThrowsAsync<CacheInUseException>(() => host.StartAsync());
    }

    [Fact]
    public async Task A_host_can_read_what_another_writes()
    {
        using var writer = _directory.Open<string>();
        writer.Set("key", "value"u8);
        using var host = Build(services => services.AddDistributedMessageCache(settings => (settings.Directory, settings.IsReadOnly) = (_directory, true)));
        await host.StartAsync();

        var cache = host.Services.GetRequiredService<IDistributedCache>();

        Assert.Equal("value", await cache.GetStringAsync("key"));
        await Assert.ThrowsAsync<InvalidOperationException>(() => cache.SetAsync("key", [1]));
    }

    [Fact]
    public async Task A_relative_directory_begins_at_the_content_root_and_the_clock_is_a_service()
    {
        var clock = new ManualClock();
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings { ContentRootPath = Path.GetDirectoryName(_directory) });
        builder.Services.AddSingleton<TimeProvider>(clock).AddMessageCache<string>(settings => settings.Directory = Path.GetFileName(_directory));
        using var host = builder.Build();
        await host.StartAsync();
        var cache = host.Services.GetRequiredService<MessageCache<string>>();
        cache.Set("key", "value"u8, CacheExpiry.After(TimeSpan.FromHours(1)));
        Assert.True(cache.Contains("key"));

        clock.Now += TimeSpan.FromHours(1);

        Assert.Equal((string)_directory, cache.Directory);
        Assert.False(cache.Contains("key"));
    }

    [Fact]
    public async Task The_log_says_what_was_opened_and_closed()
    {
        using (var cache = _directory.Open<string>())
        {
            cache.Set("key", "value"u8);
        }

        using var host = Build(services => services.AddMessageCache<string>("orders", _directory.SetSmall));
        await host.StartAsync();
        host.Services.GetRequiredKeyedService<MessageCache<string>>("orders").Read("key");
        await host.StopAsync();

        Assert.Contains($"Cache orders is open in {(string)_directory}: 1 entries", Assert.Single(_log.Of(1)).Text, StringComparison.Ordinal);
        Assert.Equal("Cache orders closes with 1 entries: 1 hits, 0 misses, 0 sets, 0 evicted, 0 damaged.", Assert.Single(_log.Of(8)).Text);
        Assert.All(_log.All, line => Assert.Equal(LogLevel.Information, line.Level));
    }

    [Fact]
    public async Task The_log_says_that_the_index_was_made_anew()
    {
        Fill();
        File.Delete(_directory.FileOf("index.*"));

        using var host = Build(services => services.AddMessageCache<int>("orders", _directory.SetSmall));
        await host.StartAsync();

        Assert.Contains("cache orders was rebuilt", Assert.Single(_log.Of(2)).Text, StringComparison.Ordinal);
        Assert.Contains("100 entries are there, 0 damaged", Assert.Single(_log.Of(2)).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_log_counts_damaged_entries()
    {
        Fill();
        foreach (var path in Directory.GetFiles(_directory, "*.segment"))
        {
            var bytes = File.ReadAllBytes(path);
            for (var at = bytes.AsSpan().IndexOf(Values.Of(7, 1_000)); at >= 0; at = -1)
            {
                bytes[at + 500] ^= 1;
            }

            File.WriteAllBytes(path, bytes);
        }

        using var host = Build(services => services.AddMessageCache<int>("orders", _directory.SetSmall));
        await host.StartAsync();
        Assert.Null(host.Services.GetRequiredKeyedService<MessageCache<int>>("orders").Read(7));
        await host.StopAsync();

        Assert.StartsWith("1 damaged entries were found in cache orders.", Assert.Single(_log.Of(3)).Text, StringComparison.Ordinal);
    }

    private void Fill()
    {
        using var cache = _directory.Open<int>();
        for (var i = 0; i < 100; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
        }
    }

    private IHost Build(Action<IServiceCollection> add, params ReadOnlySpan<(string Key, string Value)> configuration)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.AddProvider(_log);
        foreach (var (key, value) in configuration)
        {
            builder.Configuration[key] = value;
        }

        add(builder.Services);
        return builder.Build();
    }
}
