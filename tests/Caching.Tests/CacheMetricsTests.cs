using System.Diagnostics.Metrics;

namespace BufferedMessages.Caching.Tests;

public sealed class CacheMetricsTests : IDisposable
{
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
}
