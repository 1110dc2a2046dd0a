namespace BufferedMessages.Caching.Tests;

public sealed class AllocationTests : IDisposable
{
    private const int Rounds = 2_000;

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Hits_and_misses_allocate_nothing()
    {
        using var texts = _directory.Open<string>();
        texts.Set("a key of some length that is stored as UTF-8", Values.Of(1, 1_000));

        AssertNoAllocation(() =>
        {
            Assert.True(texts.TryGet("a key of some length that is stored as UTF-8", out var lease));
            _ = lease.Value[0];
            lease.Dispose();
            _ = texts.TryGet("a key that is missing", out _);
        });
    }

    [Fact]
    public void A_created_value_is_found_again_without_an_allocation()
    {
        using var cache = _directory.Open<int>();
        var serializer = new NumberSerializer();
        var expiry = CacheExpiry.After(TimeSpan.FromHours(1)) with { StaleIfError = TimeSpan.FromHours(1), RefreshAhead = TimeSpan.FromMinutes(1) };

        AssertNoAllocation(() => Assert.True(cache.GetOrCreate(5, static key => key, serializer, expiry) == 5));
    }

    [LinuxFact]
    public void Hits_of_what_is_not_in_memory_allocate_nothing()
    {
        const int Entries = 6_000;
        using var cache = _directory.Open<int>(CacheDirectory.SmallWith(options => options.DiskBytes = 256 * CacheDirectory.SegmentBytes));
        for (var i = 0; i < Entries; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
        }

        var key = 0;
        AssertNoAllocation(() =>
        {
            key = (key + 997) % Entries;
            Assert.True(cache.TryGet(key, out var lease));
            Assert.True(lease.Value.Length == 1_000);
            lease.Dispose();
        });
    }

    [Fact]
    public void Hits_of_messages_allocate_nothing()
    {
        using var cache = _directory.Open<long>();
        cache.Set(5L, new Order { Id = 5, Note = "rush" });

        AssertNoAllocation(() =>
        {
            _ = cache.TryGet<OrderBufferedMessage>(5L, out var lease) && lease.Message.Note == "rush";
            lease.Dispose();
        });
    }

    [Fact]
    public void Hits_of_sliding_entries_allocate_nothing()
    {
        var clock = new ManualClock();
        using var cache = _directory.Open<Guid>(CacheDirectory.SmallWith(options => options.TimeProvider = clock));
        var key = Guid.NewGuid();
        cache.Set(key, "value"u8, CacheExpiry.Sliding(TimeSpan.FromSeconds(10)));

        AssertNoAllocation(() =>
        {
            clock.Now += TimeSpan.FromSeconds(3);
            Assert.True(cache.TryGet(key, out var lease));
            lease.Dispose();
        });
    }

    [Fact]
    public void Sets_and_removals_allocate_nothing_while_segments_are_recycled()
    {
        using var cache = _directory.Open<int>();
        var value = Values.Of(1, 1_000);
        var order = new Order { Id = 1, Note = "rush", Lines = [1, 2, 3] };
        var i = 0;

        AssertNoAllocation(() =>
        {
            cache.Set(i % 300, value, CacheExpiry.After(TimeSpan.FromHours(1)));
            cache.Set((i % 300) + 1_000, order);
            cache.Remove(i++ % 7);
        });

        Assert.True(cache.GetStatistics().Evicted > 0 || cache.GetStatistics().Sets > Rounds);
    }

    [Fact]
    public void Sets_with_tags_and_their_reads_allocate_nothing()
    {
        using var cache = _directory.Open<int>();
        var expiry = CacheExpiry.Never with { Tags = ["warm", "color"] };

        AssertNoAllocation(() =>
        {
            cache.Set(1, "value"u8, expiry);
            Assert.True(cache.TryGet(1, out var lease));
            lease.Dispose();
        });
    }

    internal static void AssertNoAllocation(Action action)
    {
        for (var i = 0; i < Rounds; i++)
        {
            action();
        }

        Assert.Equal(0, Enumerable.Range(0, 3).Min(_ => AllocatedBy(action)));
    }

    // Two things may fall into one lap. A lock makes its event when two threads meet at it for the first time. A collection in another test gives up the rest of this thread's allocation buffer, which counts as allocated.
    private static long AllocatedBy(Action action)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < Rounds; i++)
        {
            action();
        }

        return GC.GetAllocatedBytesForCurrentThread() - before;
    }
}
