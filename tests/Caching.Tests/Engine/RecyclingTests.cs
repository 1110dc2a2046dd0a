namespace BufferedMessages.Caching.Tests;

public sealed class RecyclingTests : IDisposable
{
    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void The_disk_budget_is_kept_and_the_newest_entries_stay()
    {
        using var cache = _directory.Open<int>();
        for (var i = 0; i < 20_000; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
        }

        Assert.InRange(Directory.GetFiles(_directory, "*.segment").Length, 6, 16);
        Assert.All(Enumerable.Range(19_700, 300), i => Assert.Equal(Values.Of(i, 1_000), cache.Read(i)));
        Assert.Null(cache.Read(0));
        Assert.True(cache.GetStatistics().Evicted > 15_000);
    }

    [Fact]
    public void Entries_that_are_read_stay()
    {
        const int Read = -1;
        using var cache = _directory.Open<int>();
        cache.Set(Read, Values.Of(Read, 500));
        for (var i = 0; i < 100; i++)
        {
            // Each value fills one of the 16 segments. When sets run ahead until no segment is free, an entry cannot be carried over and may be evicted.
            cache.Set(i, Values.Of(i, 60_000));
            Assert.True(SpinWait.SpinUntil(() => cache.Count <= 15, TimeSpan.FromSeconds(60)));
            Assert.Equal(Values.Of(Read, 500), cache.Read(Read));
        }

        Assert.True(cache.GetStatistics().Carried > 0);
    }

    [Fact]
    public void Sets_go_on_when_everything_is_read()
    {
        using var cache = _directory.Open<int>();
        for (var i = 0; i < 10_000; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
            Assert.NotNull(cache.Read(i));
        }

        Assert.True(cache.GetStatistics() is { Evicted: > 0, Carried: > 0 });
        Assert.True(SpinWait.SpinUntil(() => cache.Count == cache.Keys.Count(), TimeSpan.FromSeconds(60)));
    }

    [Fact]
    public void An_expired_entry_is_reclaimed_with_its_segment_and_is_no_eviction()
    {
        var clock = new ManualClock();
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.TimeProvider = clock));
        for (var i = 0; i < 500; i++)
        {
            cache.Set(i, Values.Of(i, 1_000), CacheExpiry.After(TimeSpan.FromMinutes(1)));
        }

        clock.Now += TimeSpan.FromMinutes(1);
        for (var i = 0; i < 600; i++)
        {
            cache.Set(10_000 + i, Values.Of(i, 1_000));
        }

        Assert.All(Enumerable.Range(0, 600), i => Assert.Equal(Values.Of(i, 1_000), cache.Read(10_000 + i)));
        Assert.True(cache.Count < 1_000);
        Assert.Equal(0, cache.GetStatistics().Evicted);
    }

    [Fact]
    public void Enumeration_meets_what_is_there_all_the_time_while_the_index_grows()
    {
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => { options.DiskBytes = 1024 * CacheDirectory.SegmentBytes; options.ExpectedEntries = 1; }));
        for (var i = 0; i < 1_000; i++)
        {
            cache.Set(i, BitConverter.GetBytes(i));
        }

        var met = new HashSet<int>();
        var next = 1_000;
        foreach (var entry in cache)
        {
            met.Add(entry.Key);
            Assert.Equal(entry.Key, BitConverter.ToInt32(entry.Value));
            for (var i = 0; i < 30; i++, next++)
            {
                cache.Set(next, BitConverter.GetBytes(next));
            }
        }

        Assert.Empty(Enumerable.Range(0, 1_000).Except(met));
    }
}
