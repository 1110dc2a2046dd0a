namespace BufferedMessages.Caching.Tests;

/// <summary>While live data is below the budget that <see cref="MessageCacheOptions.DiskBytes"/> states, nothing is evicted.</summary>
public sealed class LiveDataTests : IDisposable
{
    private const int Segments = 32;

    // Three segments and an eighth of the others are the reserve.
    private const long Budget = (Segments - 3) * CacheDirectory.SegmentBytes / 8 * 7;
    private const int LargestValue = 4_000;

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Live_entries_stay_while_another_key_is_overwritten()
    {
        const int Keys = 10_000;
        using var cache = MessageCache.Open<int>(_directory, new MessageCacheOptions { DiskBytes = 64L << 20, MemoryBytes = 64L << 20 });
        for (var i = 0; i < Keys; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
        }

        for (var i = 0; i < 100_000; i++)
        {
            cache.Set(-1, Values.Of(i, 1_000));
        }

        Assert.All(Enumerable.Range(0, Keys), i => Assert.Equal(Values.Of(i, 1_000), cache.Read(i)));
        var statistics = cache.GetStatistics();
        Assert.Equal(0, statistics.Evicted);
        cache.AssertLiveBytes((Keys + 1) * CacheRecord.BytesOf(sizeof(int), 1_000));
        Assert.InRange(statistics.WriteAmplification, 1, 1.5);
    }

    [Fact]
    public void Overwritten_values_do_not_push_live_ones_out_of_the_memory()
    {
        const int Keys = 600;
        const int MemorySegments = 16;
        using var cache = MessageCache.Open<int>(
            _directory, new MessageCacheOptions { SegmentBytes = CacheDirectory.SegmentBytes, DiskBytes = 256 * CacheDirectory.SegmentBytes, MemoryBytes = MemorySegments * CacheDirectory.SegmentBytes });
        for (var i = 0; i < 100 * Keys; i++)
        {
            cache.Set(i % Keys, Values.Of(i, 1_000));
        }

        Assert.All(Enumerable.Range(0, Keys), key => Assert.Equal(Values.Of((99 * Keys) + key, 1_000), cache.Read(key)));
        Assert.InRange(Directory.GetFiles(_directory, "*.segment").Length, MemorySegments / 2, 2 * MemorySegments);
        Assert.Equal(0, cache.GetStatistics().Evicted);
    }

    [Fact]
    public void Live_data_that_does_not_fit_into_the_memory_uses_the_disk()
    {
        const int Keys = 2_000;
        using var cache = MessageCache.Open<int>(
            _directory, new MessageCacheOptions { SegmentBytes = CacheDirectory.SegmentBytes, DiskBytes = 64 * CacheDirectory.SegmentBytes, MemoryBytes = 16 * CacheDirectory.SegmentBytes });
        for (var i = 0; i < 10 * Keys; i++)
        {
            cache.Set(i % Keys, Values.Of(i % Keys, 1_000));
        }

        Assert.All(Enumerable.Range(0, Keys), key => Assert.Equal(Values.Of(key, 1_000), cache.Read(key)));
        Assert.Equal(0, cache.GetStatistics().Evicted);
        Assert.InRange(Directory.GetFiles(_directory, "*.segment").Length, (int)(Keys * 1_000L / CacheDirectory.SegmentBytes), 65);
    }

    [Fact]
    public void A_value_of_nearly_a_segment_evicts_nothing_while_there_is_room_for_another_segment()
    {
        const int Keys = 3;
        using var cache = _directory.Open<int>();
        for (var i = 0; i < Keys; i++)
        {
            cache.Set(i, Values.Of(i, 10));
        }

        for (var i = 0; i < CacheDirectory.Small.DiskBytes / CacheDirectory.SegmentBytes / 2; i++)
        {
            cache.Set(Keys + i, Values.Of(i, 65_000));
        }

        Assert.Equal(0, cache.GetStatistics().Evicted);
        Assert.All(Enumerable.Range(0, Keys), key => Assert.Equal(Values.Of(key, 10), cache.Read(key)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Nothing_is_evicted_while_live_data_is_below_the_budget(int seed)
    {
        var random = new Random(seed);
        var clock = new ManualClock();
        var model = new LiveModel(clock, Budget);
        var cache = Open(clock);
        try
        {
            for (var i = 0; i < 60_000; i++)
            {
                Change(cache, model, random);
                if (random.Next(500) == 0)
                {
                    clock.Now += TimeSpan.FromMinutes(random.Next(5));
                }

                if (random.Next(5_000) == 0)
                {
                    model.AssertEqual(cache);
                    cache.Dispose();
                    cache = Open(clock);
                }
            }

            model.AssertEqual(cache);
        }
        finally
        {
            cache.Dispose();
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Nothing_is_evicted_below_the_budget_when_threads_change_their_keys_at_the_same_time(int seed)
    {
        const int Threads = 4;
        var clock = new ManualClock();
        var models = Enumerable.Range(0, Threads).Select(thread => new LiveModel(clock, Budget / Threads, thread, Threads)).ToList();
        for (var round = 0; round < 4; round++)
        {
            using var cache = Open(clock);
            Parallel.ForEach(models, new ParallelOptions { MaxDegreeOfParallelism = Threads }, model =>
            {
                var random = new Random((100 * seed) + (10 * round) + models.IndexOf(model));
                for (var i = 0; i < 6_000; i++)
                {
                    Change(cache, model, random);
                }
            });
            models.ForEach(model => model.AssertEqual(cache));
            clock.Now += TimeSpan.FromMinutes(3);
            models.ForEach(model => model.AssertEqual(cache));
        }
    }

    [Fact]
    public void Nothing_is_evicted_when_a_cache_is_made_smaller_and_its_live_data_fits()
    {
        const int Larger = 64;
        const int Smaller = 24;
        const int Keys = 3_400;
        const int KeysForOne = 4;
        using (var cache = _directory.Open<int>(CacheDirectory.SmallWith(static options => options.DiskBytes = Larger * CacheDirectory.SegmentBytes)))
        {
            for (var i = 0; i < Keys; i++)
            {
                cache.Set(i, Values.Of(i, 1_000));
            }

            for (var i = 0; i < Keys; i++)
            {
                Assert.True(i % KeysForOne == 0 || cache.Remove(i));
            }
        }

        Assert.InRange(Directory.GetFiles(_directory, "*.segment").Length, 2 * Smaller, Larger);
        using var again = _directory.Open<int>(CacheDirectory.SmallWith(static options => options.DiskBytes = Smaller * CacheDirectory.SegmentBytes));
        Assert.InRange(again.GetStatistics().DiskBytes, 1, Smaller * CacheDirectory.SegmentBytes);
        Assert.All(Enumerable.Range(0, Keys / KeysForOne), i => Assert.Equal(Values.Of(KeysForOne * i, 1_000), again.Read(KeysForOne * i)));
        Assert.Equal(0, again.GetStatistics().Evicted);
    }

    [Fact]
    public void Sets_that_take_the_last_free_segment_while_another_one_is_emptied_evict_nothing()
    {
        // A cache of few segments keeps none for carried entries. Each round meets that moment with a new one.
        const int Rounds = 60;
        for (var round = 0; round < Rounds; round++)
        {
            using var directory = new CacheDirectory();
            using var cache = directory.Open<int>();
            for (var i = 0; i < 2_000; i++)
            {
                cache.Set(i % 10, Values.Of(i, 1_000));
                if (i % 10 == 0)
                {
                    cache.Set(10 + (i / 10), Values.Of(i, 20));
                }
            }

            Assert.Equal(0, cache.GetStatistics().Evicted);
            Assert.All(Enumerable.Range(0, 200), i => Assert.Equal(Values.Of(10 * i, 20), cache.Read(10 + i)));
        }
    }

    [Fact]
    public void Live_bytes_are_those_of_the_entries_after_every_kind_of_change_and_after_a_restart()
    {
        var clock = new ManualClock();
        var model = new LiveModel(clock, Budget);
        var random = new Random(7);
        using (var cache = Open(clock))
        {
            for (var i = 0; i < 20_000; i++)
            {
                Change(cache, model, random, withExpiry: false);
            }

            cache.AssertLiveBytes(model.LiveBytes);
        }

        using (var again = Open(clock))
        {
            again.AssertLiveBytes(model.LiveBytes);
        }

        File.Delete(_directory.FileOf("index.*"));
        using var rebuilt = Open(clock);
        rebuilt.AssertLiveBytes(model.LiveBytes);
        model.AssertEqual(rebuilt);
    }

    [Fact]
    public void Live_bytes_are_exact_when_threads_set_and_remove_the_same_keys()
    {
        using var cache = MessageCache.Open<int>(_directory, CacheDirectory.SmallWith(static options => options.DiskBytes = Segments * CacheDirectory.SegmentBytes));
        Parallel.For(0, 4, thread =>
        {
            var random = new Random(thread);
            for (var i = 0; i < 20_000; i++)
            {
                var key = random.Next(300);
                if (random.Next(4) == 0)
                {
                    cache.Remove(key);
                }
                else
                {
                    cache.Set(key, Values.Of(key, random.Next(2_000)));
                }
            }
        });

        cache.AssertLiveBytes(cache.Keys.Sum(key => CacheRecord.BytesOf(sizeof(int), cache.Read(key)!.Length)));
        Assert.Equal(0, cache.GetStatistics().Evicted);
    }

    [Fact]
    public void A_writer_that_is_killed_while_it_overwrites_loses_no_entry_below_the_budget()
    {
        for (var round = 0; round < 8; round++)
        {
            using (var writer = ChildProcess.Start(Parts.Churn, _directory))
            {
                for (var line = 0; line < 20 + (round * 15); line++)
                {
                    Assert.NotNull(writer.Hear());
                }
            }

            using var cache = _directory.Open<int>();
            var live = 0L;
            for (var key = 0; key < Parts.ChurnedKeys; key++)
            {
                var value = cache.Read(key);
                Assert.NotNull(value);
                Assert.Equal(Values.Of(key, value.Length), value);
                live += CacheRecord.BytesOf(sizeof(int), value.Length);
            }

            cache.AssertLiveBytes(live);
        }
    }

    private MessageCache<int> Open(TimeProvider clock) => MessageCache.Open<int>(_directory, CacheDirectory.SmallWith(options =>
    {
        options.DiskBytes = Segments * CacheDirectory.SegmentBytes;
        options.TimeProvider = clock;
    }));

    // A few keys are overwritten all the time; the others are many.
    private static void Change(MessageCache<int> cache, LiveModel model, Random random, bool withExpiry = true)
    {
        var key = random.Next(random.Next(2) == 0 ? 20 : 3_000);
        switch (random.Next(10))
        {
            case 0:
                model.Remove(cache, key);
                break;
            case 1 when withExpiry:
                model.Set(cache, key, random.Next(LargestValue), expiry: TimeSpan.FromMinutes(1 + random.Next(20)));
                break;
            case 2 when withExpiry:
                model.Touch(cache, key, TimeSpan.FromMinutes(1 + random.Next(20)));
                break;
            case 3:
                model.Read(cache, key);
                break;
            case 4 when withExpiry:
                model.Set(cache, key, random.Next(LargestValue), tag: random.Next(LiveModel.Tags));
                break;
            default:
                model.Set(cache, key, random.Next(random.Next(4) == 0 ? LargestValue : 600));
                break;
        }

        if (withExpiry && random.Next(200) == 0)
        {
            model.RemoveTag(cache, random.Next(LiveModel.Tags));
        }

        model.RemoveAbove(cache, random);
    }
}
