using BufferedMessages.CrossProcess;

namespace BufferedMessages.Caching.Tests;

public sealed class DiskFullTests
{
    [SmallDiskFact]
    public void A_disk_that_has_no_room_for_the_first_segment_is_an_exception_and_the_cache_goes_on_when_there_is()
    {
        using var disk = SmallDisk.TryMount(megabytes: 4)!;
        FillDisk(disk);
        CollectMappings();
    }

    private static void FillDisk(SmallDisk disk)
    {
        var filler = disk.FillBut(600_000);
        using var cache = MessageCache.Open<int>(Path.Combine(disk.Path, "cache"), CacheDirectory.Small);
        var second = Path.Combine(disk.Path, "second");
        File.WriteAllBytes(second, new byte[Math.Max(0, new DriveInfo(disk.Path).AvailableFreeSpace - 20_000)]);

        var stored = 0;
        var isFull = false;
        for (; stored < 100 && !isFull; stored++)
        {
            try
            {
                cache.Set(stored, Values.Of(stored, 40_000));
            }
            catch (DiskFullException)
            {
                isFull = true;
            }
        }

        File.Delete(filler);
        File.Delete(second);
        cache.Set(1_000, Values.Of(5, 40_000));
        Assert.Equal(Values.Of(5, 40_000), cache.Read(1_000)!);
    }

    [SmallDiskFact]
    public void A_cache_on_a_disk_smaller_than_its_budget_goes_on_with_what_there_is()
    {
        using var disk = SmallDisk.TryMount(megabytes: 2)!;
        Outgrow(disk);
        CollectMappings();
    }

    // The index and the control file are unmapped when no reader can be in them: when they are collected.
    private static void CollectMappings()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    private static void Outgrow(SmallDisk disk)
    {
        using var cache = MessageCache.Open<int>(Path.Combine(disk.Path, "cache"), CacheDirectory.Small with { DiskBytes = 64 * CacheDirectory.SegmentBytes });

        for (var i = 0; i < 5_000; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
            Assert.Equal(Values.Of(i, 1_000), cache.Read(i)!);
        }

        Assert.True(cache.GetStatistics().Evicted > 0);
    }
}
