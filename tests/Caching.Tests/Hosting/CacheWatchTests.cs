using BufferedMessages.CrossProcess;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace BufferedMessages.Caching.Tests.Hosting;

public sealed class CacheWatchTests : IDisposable
{
    private const long Budget = 16 * CacheDirectory.SegmentBytes;

    private readonly LogLines _log = new("BufferedMessages.Caching.MessageCache");
    private CacheStatistics _statistics = new() { DiskBytes = Budget };

    public void Dispose() => _log.Dispose();

    [Fact]
    public void Nothing_is_logged_of_a_cache_that_is_well()
    {
        var watch = Watch();
        _statistics = new() { DiskBytes = Budget, Evicted = 10, Carried = 5, Hits = 100, Misses = 3, Expired = 2, Sets = 4 };

        watch.Look();

        Assert.Empty(_log.All);
    }

    [Fact]
    public void A_number_is_logged_of_what_happened_since_the_last_look()
    {
        _statistics = new() { DiskBytes = Budget, Corrupt = 3 };
        var watch = Watch();
        _statistics = new() { DiskBytes = Budget, Corrupt = 5, NotKept = 7 };
        watch.Look();
        watch.Look();

        Assert.StartsWith("2 damaged entries", Assert.Single(_log.Of(3)).Text, StringComparison.Ordinal);
        Assert.StartsWith("7 created values", Assert.Single(_log.Of(7)).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Values_that_could_not_be_created_anew_are_logged_with_the_last_exception()
    {
        var watch = Watch();
        _statistics = new() { DiskBytes = Budget, FailedRefreshes = 2, RefreshFailure = new FormatException("failed") };
        watch.Look();
        watch.Look();

        Assert.StartsWith("2 values of cache", Assert.Single(_log.Of(9)).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_state_is_logged_when_it_begins_and_when_it_is_over()
    {
        _statistics = new() { DiskBytes = Budget / 2 };
        var watch = Watch();
        for (var full = 1; full < 4; full++)
        {
            _statistics = new() { DiskBytes = Budget / 2, FailedSegments = full, SegmentFailure = new DiskFullException("0000.segment", 4_096) };
            watch.Look();
        }

        _statistics = new() { DiskBytes = Budget, FailedSegments = 3 };
        watch.Look();
        for (var i = 0; i < 3; i++)
        {
            _statistics = new() { DiskBytes = Budget + CacheDirectory.SegmentBytes, FailedSegments = 3 };
            watch.Look();
        }

        Assert.Equal([4, 5, 6], _log.All.Select(line => line.Event));
    }

    // A few old values and much garbage: a segment is emptied before another file is made.
    [Fact]
    public void A_cache_that_empties_segments_below_its_budget_has_no_full_disk()
    {
        using var directory = new CacheDirectory();
        using var cache = directory.Open<int>(CacheDirectory.SmallWith(static options => options.DiskBytes = 4 * Budget));
        var watch = new CacheWatch("garbage", directory, static () => 4 * Budget, cache.GetStatistics, _log);
        for (var i = 0; cache.GetStatistics().Carried == 0; i++)
        {
            cache.Set(Math.Min(i, 10), Values.Of(i, 1_000));
        }

        watch.Look();

        Assert.True(cache.GetStatistics().DiskBytes < Budget);
        Assert.Empty(_log.All);
    }

    [SmallDiskFact]
    public void A_disk_that_is_smaller_than_the_budget_is_logged()
    {
        using var disk = SmallDisk.TryMount(megabytes: 2)!;
        FillBeyond(disk.Path);
        GC.Collect();
        GC.WaitForPendingFinalizers();

        Assert.Contains("The disk of ", Assert.Single(_log.Of(4)).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Leases_that_hold_all_segments_are_logged()
    {
        using var directory = new CacheDirectory();
        using var cache = directory.Open<int>(HeldSegments.Options);
        var watch = new CacheWatch("held", directory, static () => HeldSegments.Options.DiskBytes, cache.GetStatistics, _log);

        cache.WhileAllIsHeld(watch.Look);

        Assert.Contains("Leases hold up the recycling of cache held", Assert.Single(_log.Of(6)).Text, StringComparison.Ordinal);
    }

    // The owner may have a larger budget, as while a program is updated one process after the other.
    [Fact]
    public void The_budget_of_a_shared_cache_is_that_of_its_owner()
    {
        using var directory = new CacheDirectory();
        using var services = Services(settings =>
        {
            directory.SetSmall(settings);
            settings.Shared = true;
        });
        using (var owner = directory.Open<int>(CacheDirectory.SmallWith(static options => (options.Shared, options.DiskBytes) = (true, 2 * Budget))))
        {
            var watch = ServiceCache.Watch(services, "", services.GetRequiredService<MessageCache<int>>());
            for (var i = 0; owner.GetStatistics().DiskBytes <= Budget; i++)
            {
                owner.Set(i, Values.Of(i, 1_000));
            }

            watch.Look();
        }

        Assert.Equal([1], _log.All.Select(static line => line.Event));
    }

    private ServiceProvider Services(Action<MessageCacheSettings> configure)
    {
        var services = new ServiceCollection();
        services.AddLogging(logging => logging.AddProvider(_log));
        services.AddMessageCache<int>(configure);
        return services.BuildServiceProvider();
    }

    private void FillBeyond(string disk)
    {
        using var cache = MessageCache.Open<int>(Path.Combine(disk, "cache"), CacheDirectory.SmallWith(options => options.DiskBytes = 64 * CacheDirectory.SegmentBytes));
        var watch = new CacheWatch("small", disk, static () => 64 * CacheDirectory.SegmentBytes, cache.GetStatistics, _log);
        for (var i = 0; i < 5_000; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
        }

        watch.Look();
    }

    private CacheWatch Watch() => new("watched", "directory", static () => Budget, () => _statistics, _log);
}
