using System.Buffers;
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

    [SmallDiskFact]
    public void A_disk_that_has_no_room_for_a_larger_index_is_an_exception_and_loses_nothing()
    {
        using var disk = SmallDisk.TryMount(megabytes: 4)!;
        FillIndex(disk);
        CollectMappings();
    }

    [SmallDiskFact]
    public void A_cache_on_a_disk_that_is_mounted_for_reading_only_is_refused_as_one_without_permission_is()
    {
        using var disk = SmallDisk.TryMount(megabytes: 4)!;
        disk.MakeReadOnly();
        var path = Path.Combine(disk.Path, "cache");

        var exception = Assert.Throws<UnauthorizedAccessException>(() => MessageCache.Open<int>(path));

        Assert.Contains($"'{path}'", exception.Message, StringComparison.Ordinal);
    }

    // There is room for the index, the control file and the staged chunks, but not for a segment.
    private static void FillDisk(SmallDisk disk)
    {
        const long SegmentBytes = 1024 * 1024;
        var filler = disk.FillBut(1_500_000);
        using var cache = MessageCache.Open<int>(Path.Combine(disk.Path, "cache"), new MessageCacheOptions { SegmentBytes = SegmentBytes, DiskBytes = 16 * SegmentBytes, ExpectedEntries = 100 });

        Assert.Throws<DiskFullException>(() => cache.Set(1, Values.Of(1, 40_000)));

        File.Delete(filler);
        cache.Set(2, Values.Of(2, 40_000));
        Assert.Equal(Values.Of(2, 40_000), cache.Read(2)!);
        Assert.Null(cache.Read(1));
    }

    private static void FillIndex(SmallDisk disk)
    {
        const int Tries = 20_000;
        using var cache = MessageCache.Open<int>(Path.Combine(disk.Path, "cache"), CacheDirectory.SmallWith(options => { options.DiskBytes = 32 * CacheDirectory.SegmentBytes; options.ExpectedEntries = 100; }));
        for (var i = 0; cache.GetStatistics().Evicted == 0; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
        }

        // All segments exist, so from here on only a larger index lacks room.
        var filler = disk.FillBut(20_000);
        var stored = new HashSet<int>();
        int? refused = null;
        for (var i = 0; i < Tries && refused is null; i++)
        {
            try
            {
                cache.Set(-i - 1, BitConverter.GetBytes(i));
                stored.Add(i);
            }
            catch (DiskFullException)
            {
                refused = i;
            }
        }

        Assert.NotNull(refused);
        Assert.Null(cache.Read(-refused.Value - 1));
        Assert.All(stored, i => Assert.Equal(BitConverter.GetBytes(i), cache.Read(-i - 1)!));

        File.Delete(filler);
        cache.Set(-refused.Value - 1, BitConverter.GetBytes(refused.Value));
        Assert.Equal(BitConverter.GetBytes(refused.Value), cache.Read(-refused.Value - 1)!);
    }

    [SmallDiskFact]
    public void A_cache_on_a_disk_smaller_than_its_budget_goes_on_with_what_there_is()
    {
        using var disk = SmallDisk.TryMount(megabytes: 2)!;
        Outgrow(disk);
        CollectMappings();
    }

    [SmallDiskFact]
    public void A_disk_without_room_for_a_large_value_on_its_way_to_the_owner_is_an_exception()
    {
        using var disk = SmallDisk.TryMount(megabytes: 32)!;
        SendToOwner(disk);
        CollectMappings();
    }

    [SmallDiskFact]
    public void A_disk_without_room_for_the_way_to_the_owner_is_an_exception_and_a_way_that_is_there_goes_on()
    {
        using var disk = SmallDisk.TryMount(megabytes: 8)!;
        AskOwner(disk);
        CollectMappings();
    }

    [SmallDiskFact]
    public void A_disk_without_room_for_a_file_on_the_way_to_the_owner_is_an_exception()
    {
        using var disk = SmallDisk.TryMount(megabytes: 8)!;
        AskOwnerWithoutNames(disk);
        CollectMappings();
    }

    [SmallDiskFact]
    public void A_disk_without_room_for_another_file_opens_no_cache_and_says_why()
    {
        using var disk = SmallDisk.TryMount(megabytes: 8)!;
        OpenWithoutNames(disk);
        CollectMappings();
    }

    private static void OpenWithoutNames(SmallDisk disk)
    {
        using var cache = MessageCache.Open<int>(Path.Combine(disk.Path, "cache"), CacheDirectory.SmallWith(static options => options.ExpectedEntries = 100));
        cache.Set(1, "small"u8);
        disk.FillWithNames();

        Assert.Throws<DiskFullException>(() => MessageCache.Open<int>(Path.Combine(disk.Path, "other"), CacheDirectory.Small).Dispose());
        Assert.Throws<DiskFullException>(() => MessageCache.OpenReadOnly<int>(Path.Combine(disk.Path, "cache")).Dispose());
    }

    [SmallDiskFact]
    public void An_owner_that_has_no_room_for_its_queue_says_so_and_makes_changes_again_when_there_is()
    {
        using var disk = SmallDisk.TryMount(megabytes: 16)!;
        ShareWithoutRoom(disk);
        CollectMappings();
    }

    private static void ShareWithoutRoom(SmallDisk disk)
    {
        var directory = Path.Combine(disk.Path, "cache");
        var options = CacheDirectory.SmallWith(static options => (options.Shared, options.ExpectedEntries, options.SegmentTimeout) = (true, 100, TimeSpan.FromMinutes(2)));
        var filler = disk.FillBut(3_000_000);
        using var log = new LogLines("BufferedMessages.Caching.MessageCache");
        using var owner = MessageCache.Open<int>(directory, options);
        var watch = new CacheWatch("full", directory, () => options.DiskBytes, owner.GetStatistics, log);
        using var other = OpenWhileRoomIsTaken(directory, options);
        owner.Set(1, "small"u8);

        Assert.Throws<DiskFullException>(() => other.Set(2, "small"u8));
        Assert.Throws<DiskFullException>(() => other.RemoveByTag("tag"));
        Assert.Equal(5, other.GetOrCreate(3, static _ => 5, new NumberSerializer()));
        Assert.Equal(1, other.GetStatistics().NotKept);
        Assert.Equal("small"u8.ToArray(), other.Read(1)!);
        watch.Look();
        watch.Look();
        Assert.Single(log.Of(10));

        File.Delete(filler);
        Assert.True(SpinWait.SpinUntil(() => owner.GetStatistics().QueueFailure is null, TimeSpan.FromSeconds(60)));
        other.Set(2, "small"u8);
        Assert.Equal("small"u8.ToArray(), owner.Read(2)!);
        watch.Look();
        Assert.Single(log.Of(11));
    }

    // An owner that tries to make its queue takes the room for a moment.
    private static MessageCache<int> OpenWhileRoomIsTaken(string directory, MessageCacheOptions options)
    {
        while (true)
        {
            try
            {
                return MessageCache.Open<int>(directory, options);
            }
            catch (DiskFullException)
            {
                Thread.Sleep(1);
            }
        }
    }

    [SmallDiskFact]
    public void A_disk_without_room_for_the_first_message_of_a_schema_is_an_exception_of_a_full_disk()
    {
        using var disk = SmallDisk.TryMount(megabytes: 8)!;
        SetMessageWithoutRoom(disk);
        CollectMappings();
    }

    private static void SetMessageWithoutRoom(SmallDisk disk)
    {
        using var cache = MessageCache.Open<int>(Path.Combine(disk.Path, "cache"), CacheDirectory.SmallWith(static options => options.ExpectedEntries = 100));
        for (var i = 10; cache.GetStatistics().Evicted == 0; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
        }

        // All segments exist, so from here on only the schema lacks room.
        var filler = disk.FillBut(0);

        var exception = Assert.Throws<DiskFullException>(() => cache.Set(2, new Order { Id = 7 }));
        Assert.EndsWith(".schema", exception.File, StringComparison.Ordinal);
        Assert.Equal(8, cache.GetOrCreate(3, static _ => new Order { Id = 8 }, static (OrderBufferedMessage view) => view.ToOrder()).Id);

        File.Delete(filler);
        cache.Set(2, new Order { Id = 7 });
        Assert.True(cache.TryGet<OrderBufferedMessage, int>(2, static view => (int)view.Id, out var id));
        Assert.Equal(7, id);
    }

    private static void AskOwnerWithoutNames(SmallDisk disk)
    {
        var options = CacheDirectory.SmallWith(static options => (options.Shared, options.ExpectedEntries, options.SegmentTimeout) = (true, 100, TimeSpan.FromMinutes(2)));
        using var owner = MessageCache.Open<int>(Path.Combine(disk.Path, "cache"), options);
        using var other = MessageCache.Open<int>(Path.Combine(disk.Path, "cache"), options);
        owner.Set(1, "small"u8);
        var names = disk.FillWithNames();

        var exception = Assert.Throws<DiskFullException>(() => other.Set(2, "small"u8));
        Assert.Contains("no room for another file", exception.Message, StringComparison.Ordinal);

        foreach (var name in names)
        {
            File.Delete(name);
        }

        other.Set(2, "small"u8);
        Assert.Equal("small"u8.ToArray(), owner.Read(2)!);
    }

    private static void AskOwner(SmallDisk disk)
    {
        const int MoreThanSegmentOfAnswers = 3_000;
        var options = CacheDirectory.SmallWith(static options => (options.Shared, options.ExpectedEntries, options.SegmentTimeout) = (true, 100, TimeSpan.FromMinutes(2)));
        using var owner = MessageCache.Open<int>(Path.Combine(disk.Path, "cache"), options);
        using var other = MessageCache.Open<int>(Path.Combine(disk.Path, "cache"), options);
        for (var i = 10; owner.GetStatistics().Evicted == 0; i++)
        {
            owner.Set(i, Values.Of(i, 1_000));
        }

        var filler = disk.FillBut(100_000);
        Assert.Throws<DiskFullException>(() => other.Set(2, "small"u8));
        Assert.Equal(5, other.GetOrCreate(3, static _ => 5, new NumberSerializer()));
        Assert.Equal(1, other.GetStatistics().NotKept);

        File.Delete(filler);
        other.Set(2, "small"u8);
        disk.FillBut(30_000);
        for (var i = 0; i < MoreThanSegmentOfAnswers; i++)
        {
            other.Set(2, BitConverter.GetBytes(i));
        }

        Assert.Equal(BitConverter.GetBytes(MoreThanSegmentOfAnswers - 1), owner.Read(2)!);
    }

    private static void SendToOwner(SmallDisk disk)
    {
        var options = new MessageCacheOptions { Shared = true, SegmentBytes = 1024 * 1024, DiskBytes = 6 * 1024 * 1024 };
        using var owner = MessageCache.Open<int>(Path.Combine(disk.Path, "cache"), options);
        using var other = MessageCache.Open<int>(Path.Combine(disk.Path, "cache"), options);
        other.Set(1, "small"u8);

        // All segments exist, so from here on only the value on its way lacks room.
        for (var i = 10; owner.GetStatistics().Evicted == 0; i++)
        {
            owner.Set(i, Values.Of(i, 500_000));
        }

        disk.FillBut(100_000);

        Assert.Throws<DiskFullException>(() => other.Set(3, Values.Of(3, 500_000)));
        Assert.Equal(5, other.GetOrCreate(4, static _ => 5, new WideSerializer()));

        Assert.Equal(1, other.GetStatistics().NotKept);
        Assert.Empty(Directory.GetFiles(Path.Combine(disk.Path, "cache", "sharing"), "content-*"));
    }

    // The garbage collector unmaps the index and the control file, because readers may still use them.
    private static void CollectMappings()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    private static void Outgrow(SmallDisk disk)
    {
        using var cache = MessageCache.Open<int>(Path.Combine(disk.Path, "cache"), CacheDirectory.SmallWith(options => options.DiskBytes = 64 * CacheDirectory.SegmentBytes));

        for (var i = 0; i < 5_000; i++)
        {
            cache.Set(i, Values.Of(i, 1_000));
            Assert.Equal(Values.Of(i, 1_000), cache.Read(i)!);
        }

        Assert.True(cache.GetStatistics().Evicted > 0);
    }

    private sealed class WideSerializer : ICacheSerializer<int>
    {
        public string Name => "wide";

        public void Serialize(int value, IBufferWriter<byte> destination)
        {
            destination.Write(BitConverter.GetBytes(value));
            destination.Write(new byte[500_000]);
        }

        public int Deserialize(ReadOnlySpan<byte> bytes) => BitConverter.ToInt32(bytes);
    }
}
