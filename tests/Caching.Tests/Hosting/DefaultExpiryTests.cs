using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace BufferedMessages.Caching.Tests.Hosting;

public sealed class DefaultExpiryTests : IDisposable
{
    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task The_default_expiry_in_the_configuration_has_times_near_and_after_its_end()
    {
        var clock = new ManualClock();
        using var host = Build(
            services =>
            {
                services.AddSingleton<TimeProvider>(clock);
                services.AddMessageCache<string>("prices").BindConfiguration("Caches:Prices");
            },
            ("Caches:Prices:Directory", _directory),
            ("Caches:Prices:DiskBytes", "1048576"),
            ("Caches:Prices:DefaultExpiration", "00:05:00"),
            ("Caches:Prices:DefaultStaleIfError", "06:00:00"),
            ("Caches:Prices:DefaultRefreshAhead", "00:00:30"),
            ("Caches:Prices:DefaultJitter", "00:00:20"));
        await host.StartAsync();
        var cache = host.Services.GetRequiredKeyedService<MessageCache<string>>("prices");
        var numbers = new NumberSerializer();
        var ends = Enumerable.Range(0, 20).Select(i => EndOf(cache, $"{i}", clock.Now)).ToList();
        Assert.All(ends, end => Assert.InRange(end, TimeSpan.FromSeconds(300), TimeSpan.FromSeconds(320)));
        Assert.NotEqual(1, ends.Distinct().Count());

        cache.Set("stale", 5, numbers);
        clock.Now += TimeSpan.FromHours(6);
        Assert.Equal(5, cache.GetOrCreate("stale", static _ => throw new FormatException("failed"), numbers));
        clock.Now += TimeSpan.FromMinutes(6);
        Assert.Throws<FormatException>(() => cache.GetOrCreate("stale", static _ => throw new FormatException("failed"), numbers));

        cache.Set("ahead", 6, numbers);
        clock.Now += TimeSpan.FromSeconds(299);
        var created = new TaskCompletionSource();
        Assert.Equal(6, cache.GetOrCreate("ahead", _ => created.TrySetResult() ? 7 : 8, numbers));
        await created.Task;
    }

    [Fact]
    public async Task The_default_expiry_in_the_configuration_lets_stale_values_be_served_while_new_ones_are_created()
    {
        var clock = new ManualClock();
        using var host = Build(services =>
        {
            services.AddSingleton<TimeProvider>(clock);
            services.AddMessageCache<string>(settings =>
            {
                _directory.SetSmall(settings);
                settings.DefaultExpiration = TimeSpan.FromMinutes(5);
                settings.DefaultStaleWhileRevalidate = TimeSpan.FromMinutes(1);
            });
        });
        await host.StartAsync();
        var cache = host.Services.GetRequiredService<MessageCache<string>>();
        cache.Set("stale", 5, new NumberSerializer());
        clock.Now += TimeSpan.FromSeconds(359);
        var created = new TaskCompletionSource();

        Assert.Equal(5, cache.GetOrCreate("stale", _ => created.TrySetResult() ? 7 : 8, new NumberSerializer()));
        await created.Task;
    }

    [Fact]
    public async Task Times_near_and_after_an_expiry_need_one()
    {
        using var host = Build(services =>
        {
            services.AddMessageCache<string>("prices", settings =>
            {
                _directory.SetSmall(settings);
                settings.DefaultStaleIfError = TimeSpan.FromHours(1);
                settings.DefaultJitter = TimeSpan.FromSeconds(-1);
            });
            services.AddMessageCache<string>("stocks", settings =>
            {
                _directory.SetSmall(settings);
                settings.DefaultExpiration = TimeSpan.FromHours(1);
                settings.DefaultSlidingExpiration = TimeSpan.FromMinutes(1);
                settings.DefaultRefreshAhead = TimeSpan.FromSeconds(1);
                settings.DefaultStaleWhileRevalidate = TimeSpan.FromSeconds(1);
            });
        });

        var exception = await Assert.ThrowsAsync<AggregateException>(() => host.StartAsync());

        const string Needed = "It is for an expiry after a time. Set DefaultExpiration, and no DefaultSlidingExpiration.";
        string[] expected =
        [
            $"DefaultStaleIfError of the cache 'prices': {Needed}",
            "DefaultJitter of the cache 'prices': The time must not be negative. It is -00:00:01.",
            $"DefaultStaleWhileRevalidate of the cache 'stocks': {Needed}",
            $"DefaultRefreshAhead of the cache 'stocks': {Needed}",
        ];
        Assert.Equal(expected, exception.InnerExceptions.Cast<OptionsValidationException>().SelectMany(static inner => inner.Failures));
    }

    private static TimeSpan EndOf(MessageCache<string> cache, string key, DateTimeOffset now)
    {
        cache.Set(key, "value"u8);
        Assert.True(cache.TryGet(key, out var lease));
        using (lease)
        {
            return lease.ExpiresAt!.Value - now;
        }
    }

    private IHost Build(Action<IServiceCollection> add, params ReadOnlySpan<(string Key, string Value)> configuration)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        foreach (var (key, value) in configuration)
        {
            builder.Configuration[key] = value;
        }

        add(builder.Services);
        return builder.Build();
    }
}
