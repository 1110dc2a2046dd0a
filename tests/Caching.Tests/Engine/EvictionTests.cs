namespace BufferedMessages.Caching.Tests;

/// <summary>The choice of the entries that leave a full cache.</summary>
public sealed class EvictionTests : IDisposable
{
    private const int Segments = 34;
    private const int Requests = 150_000;
    private const int WorkingSet = 6_000;
    private const int KeysInOrder = WorkingSet / 4;

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_working_set_that_changes_stays_while_other_keys_are_asked_for_once()
    {
        var random = new Random(3);
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(static options => (options.DiskBytes, options.MemoryBytes) = (Segments * CacheDirectory.SegmentBytes, 16L << 20)));
        var hits = 0;
        for (var i = 0; i < Requests; i++)
        {
            var key = KeyAt(i, random);
            if (cache.TryGet(key, out var lease))
            {
                lease.Dispose();
                hits += i >= Requests / 4 ? 1 : 0;
            }
            else
            {
                cache.Set(key, Values.Of(key, 1_000));
            }
        }

        // 43 and a half when the segment is emptied of which fewer entries were read for its age; 38 and a half when it is always the oldest one.
        Assert.InRange(100.0 * hits / (Requests - (Requests / 4)), 41, 60);
    }

    [Fact]
    public void A_cache_that_is_made_smaller_does_not_carry_entries_for_which_it_has_no_room()
    {
        const int Larger = 64;
        const int Smaller = 16;
        const int Keys = 3_400;
        using (var cache = _directory.Open<int>(CacheDirectory.SmallWith(static options => options.DiskBytes = Larger * CacheDirectory.SegmentBytes)))
        {
            for (var i = 0; i < Keys; i++)
            {
                cache.Set(i, Values.Of(i, 1_000));
            }

            Assert.All(Enumerable.Range(0, Keys), i => Assert.NotNull(cache.Read(i)));
        }

        using var again = _directory.Open<int>(CacheDirectory.SmallWith(static options => options.DiskBytes = Smaller * CacheDirectory.SegmentBytes));

        // Three quarters of all when the size of the new budget does not count.
        var statistics = again.GetStatistics();
        Assert.InRange(statistics.DiskBytes, 1, Smaller * CacheDirectory.SegmentBytes);
        Assert.InRange(statistics.Carried, Keys / 10, Keys / 2);
        Assert.InRange(statistics.Entries, Keys / 10, Keys / 2);
    }

    // After every five working sets of requests a third of the keys is new. A quarter of the requests are for keys in order.
    private static int KeyAt(int request, Random random)
    {
        var place = request % WorkingSet;
        return place < WorkingSet - KeysInOrder
            ? (int)(WorkingSet * Math.Pow(random.NextDouble(), 10.0 / 3)) + (request / (5 * WorkingSet) * (WorkingSet / 3))
            : -1 - (request / WorkingSet * KeysInOrder) - (place - (WorkingSet - KeysInOrder));
    }
}
