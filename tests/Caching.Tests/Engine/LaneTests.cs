namespace BufferedMessages.Caching.Tests;

/// <summary>Small entries are written in lanes, in segments that are large enough for several.</summary>
public sealed class LaneTests : IDisposable
{
    private const int Keys = 300;

    private readonly CacheDirectory _directory = new();

    private static MessageCacheOptions Options => new() { SegmentBytes = 1024 * 1024, DiskBytes = 16 * 1024 * 1024, MemoryBytes = 8 * 1024 * 1024 };

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task Without_the_index_each_key_has_the_value_that_was_set_last()
    {
        byte[]?[] values;
        using (var cache = _directory.Open<int>(Options))
        {
            await Task.WhenAll(Enumerable.Range(0, 4).Select(thread => Task.Factory.StartNew(() => SetAll(cache, thread), TaskCreationOptions.LongRunning)));
            values = [.. Enumerable.Range(0, Keys).Select(cache.Read)];
            Assert.All(values, Assert.NotNull);
            Assert.Equal(4 * 100 * Keys, cache.GetStatistics().Sets);
            Assert.True(cache.GetStatistics().WrittenBytes > 4 * 100 * Keys * 100);
        }

        File.Delete(_directory.FileOf("index.*"));
        using var rebuilt = _directory.Open<int>(Options);
        Assert.Equal(values, Enumerable.Range(0, Keys).Select(rebuilt.Read));
    }

    [Fact]
    public void Without_the_index_entries_from_after_a_clear_are_there_and_those_from_before_are_not()
    {
        using (var cache = _directory.Open<int>(Options))
        {
            Enumerable.Range(0, Keys).ToList().ForEach(key => cache.Set(key, Values.Of(key, 50)));
            cache.Clear();
            Enumerable.Range(Keys, Keys).ToList().ForEach(key => cache.Set(key, Values.Of(key, 50)));
        }

        File.Delete(_directory.FileOf("index.*"));
        using var rebuilt = _directory.Open<int>(Options);
        Assert.Equal(Enumerable.Range(Keys, Keys), rebuilt.Keys.Order());
    }

    [Fact]
    public void Large_and_small_entries_share_segments()
    {
        using var cache = _directory.Open<int>(Options);
        for (var key = 0; key < Keys; key++)
        {
            cache.Set(key, Values.Of(key, key * 37 % 5_000));
        }

        cache.Dispose();
        using var reopened = _directory.Open<int>(Options);
        Assert.All(Enumerable.Range(0, Keys), key => Assert.Equal(Values.Of(key, key * 37 % 5_000), reopened.Read(key)));
    }

    [Fact]
    public void Large_and_small_entries_are_counted_with_the_bytes_of_their_records()
    {
        int[] sizes = [0, 10, 900, 1_100, 5_000, 200_000];
        using var cache = _directory.Open<int>(Options);
        for (var key = 0; key < sizes.Length; key++)
        {
            cache.Set(key, Values.Of(key, sizes[key]));
        }

        var statistics = cache.GetStatistics();
        Assert.Equal(sizes.Length, statistics.Sets);
        Assert.Equal(sizes.Sum(static bytes => CacheRecord.BytesOf(sizeof(int), bytes)), statistics.WrittenBytes);
        Assert.Equal(statistics.WrittenBytes, statistics.LiveBytes);
    }

    [Fact]
    public void Entries_before_one_whose_key_is_refused_are_set()
    {
        using var cache = _directory.Open<string>();
        var value = new byte[] { 1 };

        Assert.Throws<ArgumentException>(() => cache.SetMany([new("before", value), new("\ud800", value), new("after", value)]));

        Assert.True(cache.Contains("before"));
        Assert.False(cache.Contains("after"));
    }

    [Fact]
    public void Of_many_entries_each_is_set_and_of_two_values_of_a_key_the_later_one_counts()
    {
        using var cache = _directory.Open<string>(Options);
        cache.SetMany([.. Enumerable.Range(0, 100).Select(i => KeyValuePair.Create($"key {i % 90}", (ReadOnlyMemory<byte>)Values.Of(i, i)))]);
        Assert.Equal(90, cache.Count);
        Assert.All(Enumerable.Range(10, 90), i => Assert.Equal(Values.Of(i, i), cache.Read($"key {i % 90}")));
    }

    [Fact]
    public void Many_entries_expire_like_one()
    {
        var clock = new ManualClock();
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.TimeProvider = clock));
        cache.SetMany([KeyValuePair.Create(1, (ReadOnlyMemory<byte>)Values.Of(1, 10)), KeyValuePair.Create(2, (ReadOnlyMemory<byte>)Values.Of(2, 10))], CacheExpiry.After(TimeSpan.FromSeconds(1)));
        Assert.True(cache.Contains(2));
        clock.Now += TimeSpan.FromSeconds(2);
        Assert.False(cache.Contains(1));
        Assert.False(cache.Contains(2));
    }

    private static void SetAll(MessageCache<int> cache, int thread)
    {
        for (var round = 0; round < 100; round++)
        {
            for (var key = 0; key < Keys; key++)
            {
                cache.Set(key, Values.Of((thread * 100) + round, 100));
            }
        }
    }
}
