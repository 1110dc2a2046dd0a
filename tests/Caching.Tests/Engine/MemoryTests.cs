using BufferedMessages.Caching.Torture;

namespace BufferedMessages.Caching.Tests;

public sealed class MemoryTests : IDisposable
{
    private const long SegmentBytes = 1024 * 1024;
    private const long MemoryBytes = 4 * SegmentBytes;
    private const int Entries = 8_000;

    private readonly CacheDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [LinuxFact]
    public void What_is_mapped_stays_within_the_budget_by_the_figures_of_the_kernel()
    {
        using var cache = Fill();
        var random = new Random(7);
        var largest = 0L;
        for (var i = 0; i < 200_000; i++)
        {
            var key = random.Next(Entries);
            Assert.Equal(1_000, cache.Read(key)!.Length);
            if (i % 4 == 0)
            {
                cache.Set(key, Values.Of(key, 1_000));
            }

            if (i % 5_000 == 0)
            {
                largest = Math.Max(largest, BudgetWatch.ResidentBytes(Environment.ProcessId, _directory));
            }
        }

        Assert.InRange(largest, MemoryBytes / 2, MemoryBytes + SegmentBytes);
    }

    [LinuxFact]
    public void What_the_cache_counts_is_what_the_kernel_counts()
    {
        using var cache = Fill();
        for (var i = 0; i < Entries; i++)
        {
            cache.Read(i);
        }

        Assert.InRange(BudgetWatch.ResidentBytes(Environment.ProcessId, _directory), cache.GetStatistics().MemoryBytes / 2, cache.GetStatistics().MemoryBytes);
    }

    // A chunk of the budget is 64 KB, and the room of a lane in small segments is less.
    [Fact]
    public void Bytes_that_are_given_up_in_parts_of_a_chunk_reduce_the_budget_too()
    {
        const int Parts = 8;
        var memory = new ResidentMemory(new nint[1], SegmentBytes, SegmentBytes, 8 * MemoryBytes);
        var before = memory.TargetBytes;

        for (var part = 0; part < Parts; part++)
        {
            memory.GiveUp(ResidentMemory.ChunkBytes / 2);
        }

        Assert.Equal(before - (Parts / 2 * ResidentMemory.ChunkBytes), memory.TargetBytes);
    }

    [Fact]
    public void The_tags_of_a_large_entry_are_counted_when_they_are_read_without_its_value()
    {
        var options = new MessageCacheOptions { SegmentBytes = SegmentBytes, DiskBytes = 16 * SegmentBytes, MemoryBytes = 2 * MemoryBytes };
        using (var cache = _directory.Open<int>(options))
        {
            // Each in a segment of its own.
            for (var i = 0; i < 3; i++)
            {
                cache.Set(i, Values.Of(i, 700_000), CacheExpiry.Never with { Tags = ["tag"] });
            }
        }

        using var again = _directory.Open<int>(options);
        var before = again.GetStatistics().MemoryBytes;
        Assert.True(again.Contains(0));
        Assert.Equal(before + ResidentMemory.ChunkBytes, again.GetStatistics().MemoryBytes);
    }

    private MessageCache<int> Fill()
    {
        var cache = _directory.Open<int>(new MessageCacheOptions { SegmentBytes = SegmentBytes, DiskBytes = 16 * SegmentBytes, MemoryBytes = MemoryBytes });
        for (var i = 0; i < Entries; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
        }

        return cache;
    }
}
