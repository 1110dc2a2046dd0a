namespace BufferedMessages.CrossProcess;

public sealed class DiskFullTests
{
    [SmallDiskFact]
    public void A_full_disk_is_an_exception_loses_nothing_and_publishing_goes_on_when_there_is_room()
    {
        using var disk = SmallDisk.TryMount()!;
        var directory = Path.Combine(disk.Path, "queue");
        using var queue = Parts.Open(directory);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var filler = disk.FillBut(200_000);
        var message = new byte[NumberedMessage.MaxBytes];
        var published = 0;
        var exception = Assert.Throws<DiskFullException>(() =>
        {
            while (published < int.MaxValue)
            {
                producer.Publish(message.AsSpan(0, NumberedMessage.Write(message, 0, published)));
                published++;
            }
        });

        Assert.Equal(Parts.SegmentBytes, exception.Bytes);
        Assert.EndsWith(".segment", exception.File, StringComparison.Ordinal);
        File.Delete(filler);
        producer.Publish(message.AsSpan(0, NumberedMessage.Write(message, 0, published++)));
        for (var expected = 0; expected < published; expected++)
        {
            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal((0, expected), NumberedMessage.Read(delivery.Message.Bytes));
            delivery.Commit();
        }

        Assert.False(consumer.TryRead(out _));
        Assert.Empty(Directory.GetFiles(directory, "*.creating"));
    }

    [SmallDiskFact]
    public void A_segment_of_huge_pages_that_does_not_fit_is_not_begun()
    {
        const long HugeBytes = 2 * 1024 * 1024;
        const long DiskBytes = 5 * 1024 * 1024;
        const int Fitting = 2;
        using var disk = SmallDisk.TryMount(megabytes: 5)!;
        var directory = Path.Combine(disk.Path, "queue");
        using var queue = MessageQueue.Open(directory, new MessageQueueOptions { SegmentBytes = HugeBytes });
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.True(new DriveInfo(disk.Path).AvailableFreeSpace < DiskBytes - HugeBytes);
        var message = new byte[producer.MaxMessageBytes];
        for (var i = 0; i < Fitting; i++)
        {
            message.AsSpan().Fill((byte)i);
            producer.Publish(message);
        }

        Assert.Throws<DiskFullException>(() => producer.Publish(message));

        for (var i = 0; i < Fitting; i++)
        {
            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal(-1, delivery.Message.Bytes.IndexOfAnyExcept((byte)i));
            delivery.Commit();
        }

        Assert.Equal(Fitting, Directory.GetFiles(directory, "*.segment*").Length);
    }

    [Ext2DiskFact]
    public void A_segment_that_does_not_fit_is_refused_where_the_file_system_cannot_allocate_ahead()
    {
        const long SegmentBytes = 16 * 1024 * 1024;
        using var disk = LoopDisk.TryMountExt2()!;
        var directory = Path.Combine(disk.Path, "queue");
        using var queue = MessageQueue.Open(directory, new MessageQueueOptions { SegmentBytes = SegmentBytes });
        var before = new DriveInfo(disk.Path).AvailableFreeSpace;

        // With a file of holes the first message that meets a full disk would end the process.
        Assert.Throws<DiskFullException>(() => queue.OpenProducer());

        Assert.Empty(Directory.GetFiles(directory, "*.segment*"));
        Assert.True(new DriveInfo(disk.Path).AvailableFreeSpace >= before - Environment.SystemPageSize);
    }

    [SmallDiskFact]
    public void A_queue_that_does_not_fit_is_not_created()
    {
        using var disk = SmallDisk.TryMount()!;
        var directory = Path.Combine(disk.Path, "queue");
        var filler = disk.FillBut(100_000);

        Assert.Throws<DiskFullException>(() => Parts.Open(directory));

        Assert.Empty(Directory.GetFiles(directory));
        File.Delete(filler);
        Parts.Open(directory).Dispose();
    }

    [SmallDiskFact]
    public void A_producer_without_room_for_its_first_segment_can_be_opened_again()
    {
        using var disk = SmallDisk.TryMount()!;
        using var queue = Parts.Open(Path.Combine(disk.Path, "queue"));
        var filler = disk.FillBut(30_000);

        Assert.Throws<DiskFullException>(() => queue.OpenProducer());

        File.Delete(filler);
        using var producer = queue.OpenProducer();
        producer.Publish("fits"u8);
    }

    [SmallDiskFact]
    public void A_producer_without_room_for_its_first_segment_does_not_decide_the_content()
    {
        using var disk = SmallDisk.TryMount()!;
        using var queue = Parts.Open(Path.Combine(disk.Path, "queue"));
        var filler = disk.FillBut(30_000);

        Assert.Throws<DiskFullException>(() => queue.OpenProducer());

        File.Delete(filler);
        using var producer = queue.OpenValueProducer<long>();
        producer.Publish(1L);
    }

    [SmallDiskFact]
    public void A_disk_without_room_for_another_name_is_the_same_exception()
    {
        using var disk = SmallDisk.TryMount()!;
        var directory = Path.Combine(disk.Path, "queue");
        var names = disk.FillWithNames();

        Assert.Throws<DiskFullException>(() => Parts.Open(directory));

        names.ToList().ForEach(File.Delete);
        using var queue = Parts.Open(directory);
        disk.FillWithNames();

        Assert.Equal(0, Assert.Throws<DiskFullException>(() => queue.OpenProducer()).Bytes);
        Assert.Equal(0, Assert.Throws<DiskFullException>(() => queue.OpenConsumer<RawMessage>("all")).Bytes);
        Assert.Empty(Directory.GetFiles(directory, "*.creating", SearchOption.AllDirectories));
    }
}
