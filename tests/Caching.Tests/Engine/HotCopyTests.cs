using BufferedMessages.Wire;

namespace BufferedMessages.Caching.Tests;

/// <summary>Caches with more data than memory, where entries that are read often are read from copies.</summary>
public sealed class HotCopyTests : IDisposable
{
    private const int Entries = 5_000;
    private const int ValueBytes = 600;

    private readonly CacheDirectory _directory = new();
    private readonly ManualClock _clock = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_copied_entry_that_is_set_again_has_its_new_value()
    {
        using var cache = FillAndHeat(out var hot);
        foreach (var key in hot)
        {
            cache.Set(key, Values.Of(-key, ValueBytes));
        }

        Assert.All(hot, key => Assert.Equal(Values.Of(-key, ValueBytes), cache.Read(key)));
    }

    [Fact]
    public void A_copied_entry_that_is_removed_is_gone()
    {
        using var cache = FillAndHeat(out var hot);

        Assert.All(hot, key => Assert.True(cache.Remove(key)));
        Assert.All(hot, key => Assert.Null(cache.Read(key)));
    }

    [Fact]
    public void A_copied_entry_expires_when_it_is_told_to()
    {
        using var cache = FillAndHeat(out var hot);
        Assert.All(hot, key => Assert.True(cache.Touch(key, CacheExpiry.After(TimeSpan.FromSeconds(10)))));
        Assert.All(hot, key => Assert.Equal(Values.Of(key, ValueBytes), cache.Read(key)));

        _clock.Now += TimeSpan.FromSeconds(11);

        Assert.All(hot, key => Assert.Null(cache.Read(key)));
    }

    [Fact]
    public void A_cleared_cache_has_no_copies()
    {
        using var cache = FillAndHeat(out var hot);
        cache.Clear();

        Assert.All(hot, key => Assert.Null(cache.Read(key)));
    }

    [Fact]
    public void Leases_of_copies_keep_their_bytes_while_others_take_their_place()
    {
        using var cache = FillAndHeat(out var hot);
        HoldAndChurn(cache, hot);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Nothing_old_is_ever_read_while_segments_and_copies_are_replaced(int seed)
    {
        var random = new Random(seed);
        using var cache = FillAndHeat(out _);
        var versions = new int[Entries];
        Array.Fill(versions, -1);
        for (var i = 0; i < 150_000; i++)
        {
            // Lower numbers are read more often.
            var key = (int)(Entries * Math.Pow(random.NextDouble(), 3));
            switch (random.Next(20))
            {
                case 0 or 1:
                    versions[key] = i;
                    cache.Set(key, Values.Of(i, ValueBytes));
                    break;
                case 2:
                    versions[key] = int.MinValue;
                    cache.Remove(key);
                    break;
                default:
                    var value = cache.Read(key);
                    if (value is not null)
                    {
                        Assert.NotEqual(int.MinValue, versions[key]);
                        Assert.Equal(Values.Of(versions[key] < 0 ? key : versions[key], ValueBytes), value);
                    }

                    break;
            }
        }

        Assert.True(cache.GetStatistics().Hits > 50_000);
    }

    // The entries do not fit into the memory, so that most reads copy theirs from the file.
    [LinuxFact]
    public void A_cache_that_verifies_every_read_gives_no_memory_to_copies_that_no_read_would_use()
    {
        var options = CacheDirectory.SmallWith(static options => (options.DiskBytes, options.VerifyEveryRead) = (80 * CacheDirectory.SegmentBytes, true));
        using var cache = CacheOpening.Open(_directory, CacheKey.KindOf<int>(), options);
        for (var key = 0; key < Entries; key++)
        {
            var bytes = BitConverter.GetBytes(key);
            var reservation = cache.RequireWriter().Reserve(bytes, XxHash64.Hash(bytes), ValueBytes, schema: 0, CacheExpiry.Never);
            cache.RequireWriter().Publish(in reservation, bytes);
        }

        for (var i = 0; i < 5 * Entries; i++)
        {
            Assert.True(cache.Reader.TryGet(BitConverter.GetBytes(i % Entries), out var lease));
            lease.Leases!.Return(lease.Ticket);
        }

        Assert.InRange(cache.Store.Segments.Memory.TargetBytes, options.MemoryBytes / 2, options.MemoryBytes);
    }

    private static void HoldAndChurn(MessageCache<int> cache, ReadOnlySpan<int> keys)
    {
        if (keys.IsEmpty)
        {
            for (var i = 0; i < 20 * Entries; i++)
            {
                cache.Read(i % Entries);
            }

            return;
        }

        Assert.True(cache.TryGet(keys[0], out var lease));
        using (lease)
        {
            HoldAndChurn(cache, keys[1..]);
            Assert.Equal(Values.Of(keys[0], ValueBytes), lease.Value);
        }
    }

    // Creates a cache of which a quarter fits into memory, and reads some keys much more often than others.
    private MessageCache<int> FillAndHeat(out int[] hot)
    {
        var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => { options.DiskBytes = 80 * CacheDirectory.SegmentBytes; options.TimeProvider = _clock; }));
        for (var key = 0; key < Entries; key++)
        {
            cache.Set(key, Values.Of(key, ValueBytes));
        }

        hot = [.. Enumerable.Range(0, 100).Select(i => i * (Entries / 100))];
        for (var round = 0; round < 40; round++)
        {
            foreach (var key in hot)
            {
                Assert.Equal(Values.Of(key, ValueBytes), cache.Read(key));
            }

            for (var i = 0; i < 500; i++)
            {
                cache.Read(((round * 500) + i) % Entries);
            }
        }

        return cache;
    }
}
