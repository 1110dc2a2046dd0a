using System.Diagnostics;
using BufferedMessages.Queues;

namespace BufferedMessages.CrossProcess;

public sealed class FailingDiskTests
{
    private const int MessageBytes = 8_000;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    [FailingDiskFact]
    public void A_failing_flush_of_each_message_is_told_until_the_disk_works_again()
    {
        using var disk = FailingDisk.TryMount()!;
        var directory = Path.Combine(disk.Path, "queue");
        var message = new byte[MessageBytes];
        using var queue = Open(directory, FlushMode.EveryMessage);
        using var producer = queue.OpenProducer();
        var last = producer.Publish(message);
        disk.Fail();

        // The first blocks are stored already; sooner or later one is new.
        var exception = Assert.Throws<FlushFailedException>(() =>
        {
            for (var i = 0; i < 1_000; i++)
            {
                Array.Fill(message, (byte)i);
                last = producer.Publish(message);
            }
        });

        Assert.Equal(exception.DurablePosition, queue.DurablePosition);
        Assert.InRange(queue.DurablePosition, 0, queue.PublishedPosition - 1);
        // The system itself reports a failure once, and takes the pages for written then.
        Assert.Throws<FlushFailedException>(() => queue.WaitForDurable(queue.PublishedPosition - 1, Generous));
        Assert.Throws<FlushFailedException>(() => queue.WaitForDurable(queue.PublishedPosition - 1, Generous));

        disk.Repair();
        producer.Publish("after the repair"u8);
        Assert.Equal(queue.PublishedPosition, queue.DurablePosition);
    }

    [FailingDiskFact]
    public void A_failing_background_flush_is_told_to_the_next_publisher_and_tried_again()
    {
        using var disk = FailingDisk.TryMount()!;
        using var queue = Open(Path.Combine(disk.Path, "queue"), FlushMode.Interval);
        using var producer = queue.OpenProducer();
        var message = new byte[MessageBytes];
        producer.Publish(message);
        disk.Fail();

        Assert.Throws<FlushFailedException>(() =>
        {
            for (var i = 0; i < 1_000 && !HasFailed(); i++)
            {
                Array.Fill(message, (byte)i);
                producer.Publish(message);
                Assert.True(SpinWait.SpinUntil(() => queue.DurablePosition == queue.PublishedPosition || HasFailed(), Generous));
            }

            // The failure is counted before the publisher can be told of it.
            var start = Stopwatch.GetTimestamp();
            while (Stopwatch.GetElapsedTime(start) < Generous)
            {
                producer.Publish("told"u8);
                Thread.Sleep(1);
            }
        });

        disk.Repair();
        Assert.True(SpinWait.SpinUntil(() => queue.DurablePosition == queue.PublishedPosition, Generous));

        bool HasFailed()
        {
            using var control = new FileStream(Path.Combine(queue.Path, "control"), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            var header = new byte[4096];
            control.ReadExactly(header);
            return BitConverter.ToUInt32(header, 1296) != 0;
        }
    }

    [FailingDiskFact]
    public void A_flush_brings_the_cursors_to_the_disk_that_the_last_one_could_not_store()
    {
        using var disk = FailingDisk.TryMount()!;
        using var queue = Open(Path.Combine(disk.Path, "queue"), FlushMode.None);
        queue.Flush();
        disk.Fail();

        // The first blocks are stored already; sooner or later one is new.
        var last = "";
        Assert.Throws<FlushFailedException>(() =>
        {
            for (var i = 100; i < 300; i++)
            {
                last = $"name {i}";
                queue.OpenConsumer<RawMessage>(last).Dispose();
                queue.Flush();
            }
        });

        disk.Repair();
        queue.Flush();

        // The system has taken the page for written.
        Assert.True(disk.Stores(last));
    }

    // The disk may store the length of the text at any time.
    [FailingDiskFact]
    public void Each_version_of_the_schema_is_on_the_disk_when_its_participant_is_open()
    {
        using var disk = FailingDisk.TryMount()!;
        using var queue = Open(Path.Combine(disk.Path, "queue"), FlushMode.None);

        queue.OpenProducer(MessageSchema.Parse("message Order\n0 i64 Id\n")).Dispose();
        Assert.True(disk.Stores("0 i64 Id"));

        queue.OpenProducer(MessageSchema.Parse("message Order\n0 i64 Id\n1 i32 Quantity\n")).Dispose();
        Assert.True(disk.Stores("1 i32 Quantity"));
    }

    // The disk may store a message at any time.
    [FailingDiskFact]
    public void The_content_of_the_messages_is_on_the_disk_when_its_participant_is_open()
    {
        const string Magic = "BMQ1";
        const int KindOffset = 64;
        const int TextBytesOffset = 68;
        using var disk = FailingDisk.TryMount()!;
        using var queue = Open(Path.Combine(disk.Path, "queue"), FlushMode.None);
        Assert.Equal(0, disk.NumberAt(Magic, KindOffset));

        queue.OpenProducer(MessageSchema.Parse("message Order\n0 i64 Id\n")).Dispose();
        Assert.NotEqual(0, disk.NumberAt(Magic, KindOffset));

        var bytes = disk.NumberAt(Magic, TextBytesOffset);
        queue.OpenProducer(MessageSchema.Parse("message Order\n0 i64 Id\n1 i32 Quantity\n")).Dispose();
        Assert.True(disk.NumberAt(Magic, TextBytesOffset) > bytes);
    }

    [FailingDiskFact]
    public void A_name_is_on_the_disk_when_its_consumer_is_open_and_so_is_its_deletion()
    {
        const string Name = "name of a consumer";
        const int FromNameToKind = -12;
        using var disk = FailingDisk.TryMount()!;
        using var queue = Open(Path.Combine(disk.Path, "queue"), FlushMode.Interval);

        queue.OpenConsumer<RawMessage>(Name).Dispose();
        Assert.Equal((int)CursorRecord.ExclusiveKind, disk.NumberAt(Name, FromNameToKind));

        queue.DeleteConsumer(Name);
        Assert.Equal((int)CursorRecord.DeletedKind, disk.NumberAt(Name, FromNameToKind));
    }

    [FailingDiskFact]
    public void A_new_name_is_not_left_if_the_content_of_its_consumer_cannot_be_stored()
    {
        using var disk = FailingDisk.TryMount()!;
        using var queue = Open(Path.Combine(disk.Path, "queue"), FlushMode.None);
        queue.OpenConsumer<RawMessage>("first").Dispose();
        disk.Fail();

        // The text of the content is in a page that was never stored.
        Assert.Throws<FlushFailedException>(() => queue.OpenConsumer<ValueMessage<int>>("second"));

        Assert.Equal("first", Assert.Single(queue.GetStatistics().Consumers).Name);
        disk.Repair();
    }

    [FailingDiskFact]
    public void Retention_deletes_no_segment_before_the_disk_has_the_cursor_that_has_passed_it()
    {
        const string Name = "name of a consumer";
        const int FromNameToPosition = 116;
        using var disk = FailingDisk.TryMount()!;
        using var queue = MessageQueue.Open(
            Path.Combine(disk.Path, "queue"), new MessageQueueOptions { SegmentBytes = Parts.SegmentBytes, Flush = FlushMode.Interval, Retention = new QueueRetention { DeleteRead = true } });
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>(Name);
        for (var i = 0; i < 3 * Parts.SegmentBytes / MessageBytes; i++)
        {
            producer.Publish(new byte[MessageBytes]);
            Assert.Equal(MessageBytes, consumer.ReadCopy(TimeSpan.Zero)!.Length);
        }

        queue.ApplyRetention();

        Assert.False(File.Exists(Path.Combine(queue.Path, "00000000000000000000.segment")));
        Assert.True(disk.NumberAt(Name, FromNameToPosition) >= Parts.SegmentBytes);
    }

    [FailingDiskFact]
    public void The_names_of_a_new_queue_are_on_the_disk_when_it_is_open()
    {
        // As a directory has it: bytes of the name, a regular file, the name.
        const string Control = "\u0007\u0001control";
        const string Folder = "folder of queues";
        using var disk = FailingDisk.TryMount()!;

        using var queue = Open(Path.Combine(disk.Path, Folder, "queue"), FlushMode.None);

        Assert.True(disk.Stores(Control));
        Assert.True(disk.Stores(Folder));
    }

    [FailingDiskFact]
    public void A_retention_that_replaces_another_is_on_the_disk_when_the_queue_is_open()
    {
        const string Magic = "BMQ1";
        const int RetentionOffset = 96;
        const int First = 1 << 28;
        const int Second = 1 << 29;
        using var disk = FailingDisk.TryMount()!;
        var directory = Path.Combine(disk.Path, "queue");

        MessageQueue.Open(directory, new MessageQueueOptions { SegmentBytes = Parts.SegmentBytes, Flush = FlushMode.Interval, Retention = new QueueRetention { MaxBytes = First } }).Dispose();
        Assert.Equal(First, disk.NumberAt(Magic, RetentionOffset));

        MessageQueue.Open(directory, new MessageQueueOptions { Retention = new QueueRetention { MaxBytes = Second } }).Dispose();
        Assert.Equal(Second, disk.NumberAt(Magic, RetentionOffset));
    }

    // One segment holds all messages: the disk could not store the header of another one.
    private static MessageQueue Open(string directory, FlushMode flush) => MessageQueue.Open(
        directory,
        new MessageQueueOptions { SegmentBytes = 8 * 1024 * 1024, Flush = flush, FlushInterval = flush == FlushMode.Interval ? TimeSpan.FromMilliseconds(5) : null });
}
