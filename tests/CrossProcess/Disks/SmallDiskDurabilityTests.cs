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

    private static void Remount(SmallDisk disk, string mode)
    {
        using var process = Process.Start("mount", ["-o", $"remount,{mode}", disk.Path]);
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
    }
}
