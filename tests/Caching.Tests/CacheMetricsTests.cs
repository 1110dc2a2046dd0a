using System.Diagnostics.Metrics;

namespace BufferedMessages.Caching.Tests;

public sealed class CacheMetricsTests : IDisposable
{
    private static readonly string[] Counts =
        ["hits", "misses", "expired", "corrupt", "mismatched", "sets", "not_kept", "stale", "failed_refreshes", "evicted", "carried"];

    private static readonly string[] Sizes = ["entries", "live", "disk", "memory", "index"];

    private readonly CacheDirectory _directory = new();
    private readonly MeterListener _listener = new();
    private readonly Dictionary<string, long> _seen = [];

    public CacheMetricsTests()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Name.StartsWith("bufferedmessages.cache.", StringComparison.Ordinal))
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            if (tags.ToArray().Any(tag => Equals(tag.Value, _directory.Path)))
            {
                _seen[instrument.Name["bufferedmessages.cache.".Length..]] = value;
            }
        });
        _listener.Start();
    }

    public void Dispose()
    {
        _listener.Dispose();
        _directory.Dispose();
    }

    [Fact]
    public void They_are_the_statistics_and_do_not_fall_when_a_cache_is_closed()
    {
        using (var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.Name = _directory)))
        {
            cache.Set(1, "value"u8);
            cache.Read(1);
            cache.Read(1);
            cache.Read(2);
            _listener.RecordObservableInstruments();
            Assert.Equal((2, 1, 1, 1), (_seen["hits"], _seen["misses"], _seen["sets"], _seen["entries"]));
            Assert.True(_seen["disk"] > 0 && _seen["memory"] > 0 && _seen["index"] > 0);
        }

        _listener.RecordObservableInstruments();
        Assert.Equal((2, 1, 1, 0), (_seen["hits"], _seen["misses"], _seen["sets"], _seen["entries"]));
    }

    [Fact]
    public void Each_instrument_has_its_own_number_of_all_caches_with_the_name()
    {
        var (one, other) = (new CountedCache(_directory), new CountedCache(_directory));
        CacheMetrics.Add(one);
        CacheMetrics.Add(other);
        AssertSeen(counted: 2, open: 2);

        CacheMetrics.Remove(one);
        AssertSeen(counted: 2, open: 1);
        CacheMetrics.Remove(other);
        AssertSeen(counted: 2, open: 0);
    }

    [Fact]
    public void A_process_that_becomes_the_owner_of_a_shared_cache_keeps_its_counts_and_has_its_sizes_once()
    {
        using var owner = _directory.Open<int>(SharingPart.Options);
        using var other = _directory.Open<int>(CacheDirectory.SmallWith(options => (options.Name, options.Shared) = (_directory, true)));
        owner.Set(1, "value"u8);
        other.Set(2, "value"u8);
        Assert.NotNull(other.Read(1));
        Assert.Null(other.Read(9));

        owner.Dispose();
        other.Set(3, "value"u8);
        Assert.NotNull(other.Read(3));

        Assert.True(SpinWait.SpinUntil(() => other.GetStatistics().Sets == 2, TimeSpan.FromSeconds(60)));
        var statistics = other.GetStatistics();
        Assert.Equal((2, 1, 2, 3), (statistics.Hits, statistics.Misses, statistics.Sets, statistics.Entries));
        _listener.RecordObservableInstruments();
        Assert.Equal((2, 1, 2, 3), (_seen["hits"], _seen["misses"], _seen["sets"], _seen["entries"]));
    }

    [Fact]
    public void Stale_values_and_failed_creations_are_counted_and_stay_so_when_the_cache_is_closed()
    {
        var clock = new ManualClock();
        var expiry = CacheExpiry.After(TimeSpan.FromMinutes(1)) with { StaleIfError = TimeSpan.FromMinutes(9) };
        using (var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => (options.Name, options.TimeProvider) = (_directory, clock))))
        {
            cache.Set(1, 5, new NumberSerializer(), expiry);
            clock.Now += TimeSpan.FromMinutes(1);
            cache.GetOrCreate(1, _ => throw new FormatException("failed"), new NumberSerializer(), expiry);
        }

        _listener.RecordObservableInstruments();
        Assert.Equal((1, 1), (_seen["stale"], _seen["failed_refreshes"]));
    }

    [Fact]
    public void Created_values_that_find_no_room_are_counted()
    {
        var options = HeldSegments.Options;
        options.Name = _directory;
        using (var cache = _directory.Open<int>(options))
        {
            cache.WhileAllIsHeld(() => Assert.Equal(-5, cache.GetOrCreate(-1, static key => key * 5, new PaddedSerializer())));

            _listener.RecordObservableInstruments();
            Assert.Equal((1, 1), (cache.GetStatistics().NotKept, _seen["not_kept"]));
        }

        _listener.RecordObservableInstruments();
        Assert.Equal(1, _seen["not_kept"]);
    }

    // The instruments are numbered in the order of their names above.
    private void AssertSeen(int counted, int open)
    {
        _listener.RecordObservableInstruments();
        Assert.All(Counts.Index(), name => Assert.Equal((name.Index + 1L) * counted, _seen[name.Item]));
        Assert.All(Sizes.Index(), name => Assert.Equal((Counts.Length + name.Index + 1L) * open, _seen[name.Item]));
    }

    private sealed class CountedCache(string name) : IMeteredCache
    {
        public string Name => name;

        public CacheStatistics ReadStatistics() => new()
        {
            Hits = 1,
            Misses = 2,
            Expired = 3,
            Corrupt = 4,
            Mismatched = 5,
            Sets = 6,
            NotKept = 7,
            Stale = 8,
            FailedRefreshes = 9,
            Evicted = 10,
            Carried = 11,
            Entries = 12,
            LiveBytes = 13,
            DiskBytes = 14,
            MemoryBytes = 15,
            IndexBytes = 16,
        };
    }
}
