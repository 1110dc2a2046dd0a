using System.Diagnostics;

namespace BufferedMessages.CrossProcess;

public sealed class SmallDiskDurabilityTests
{
    [SmallDiskFact]
    public void On_a_full_disk_each_confirmed_message_is_kept_and_the_exception_says_that_there_is_no_room()
    {
        using var disk = SmallDisk.TryMount()!;
        var directory = Path.Combine(disk.Path, "queue");
        using var queue = MessageQueue.Open(directory, new MessageQueueOptions { SegmentBytes = Parts.SegmentBytes, Flush = FlushMode.EveryMessage });
        using var producer = queue.OpenProducer();
        var filler = disk.FillBut(100_000);
        var last = 0L;

        Assert.Throws<DiskFullException>(void () =>
        {
            for (var i = 0; i < 1_000; i++)
            {
                last = producer.Publish(new byte[10_000]);
            }
        });

        Assert.True(queue.DurablePosition > last);
        File.Delete(filler);
        var position = producer.Publish(new byte[10_000]);
        Assert.True(queue.DurablePosition > position);
    }

    [SmallDiskFact]
    public void On_a_full_disk_retention_makes_room()
    {
        using var disk = SmallDisk.TryMount()!;
        using var queue = MessageQueue.Open(
            Path.Combine(disk.Path, "queue"),
            new MessageQueueOptions { SegmentBytes = Parts.SegmentBytes, Retention = new QueueRetention { HardLimitBytes = 3 * Parts.SegmentBytes, DropOldestAtHardLimit = true } });
        using var producer = queue.OpenProducer();

        // Many times what the disk holds.
        for (var i = 0; i < 1_000; i++)
        {
            producer.Publish(new byte[10_000]);
        }
    }

    [SmallDiskFact]
    public void A_directory_that_cannot_be_written_to_is_one_clear_exception()
    {
        using var disk = SmallDisk.TryMount()!;
        var directory = Path.Combine(disk.Path, "queue");
        using (var queue = Parts.Open(directory))
        using (var producer = queue.OpenProducer())
        {
            producer.Publish("kept"u8);
        }

        Remount(disk, "ro");
        foreach (var path in new[] { directory, Path.Combine(disk.Path, "another") })
        {
            var exception = Assert.Throws<UnauthorizedAccessException>(() => MessageQueue.Open(path));
            Assert.Contains(path, exception.Message, StringComparison.Ordinal);
            Assert.Contains("cannot be written to", exception.Message, StringComparison.Ordinal);
        }

        Remount(disk, "rw");
        using var again = Parts.Open(directory);
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal("kept"u8, delivery.Message.Bytes);
        delivery.Commit();
    }

    [SmallDiskFact]
    public void On_a_full_disk_the_repair_after_a_crash_of_the_machine_is_refused_and_done_when_there_is_room()
    {
        const int BootIdOffset = 1408;
        const int TornOffset = 32 * 1024;
        using var disk = SmallDisk.TryMount()!;
        var directory = Path.Combine(disk.Path, "queue");
        using (var queue = Parts.Open(directory))
        using (var producer = queue.OpenProducer())
        {
            producer.Publish("kept"u8);
        }

        var torn = new byte[30_000];
        Array.Fill(torn, (byte)1);
        Put(Path.Combine(directory, "00000000000000000000.segment"), TornOffset, torn);
        Put(Path.Combine(directory, "control"), BootIdOffset, new byte[16]);
        var filler = disk.FillBut(10_000);

        Assert.Throws<DiskFullException>(() => Parts.Open(directory));

        Assert.Empty(Directory.GetFileSystemEntries(Path.Combine(directory, "lost+found")));
        File.Delete(filler);
        using var again = Parts.Open(directory);
        Assert.NotNull(again.Recovery?.LostAndFound);
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.Equal("kept"u8.ToArray(), consumer.ReadCopy(TimeSpan.Zero));
    }

    private static void Put(string path, long offset, byte[] bytes)
    {
        using var file = File.OpenHandle(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        RandomAccess.Write(file, bytes, offset);
    }

    private static void Remount(SmallDisk disk, string mode)
    {
        using var process = Process.Start("mount", ["-o", $"remount,{mode}", disk.Path]);
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
    }
}
