using BufferedMessages.Segments;
using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>What a crash leaves behind is the files as they are at that moment: these tests copy them in the middle of an operation.</summary>
[Collection(ProcessWideSwitches.Name)]
public sealed class RecoveryTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_record_that_a_dead_producer_reserved_is_skipped_and_the_next_one_follows()
    {
        using var queue = _directory.OpenSingle();
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1));
        using var claim = producer.Claim(1_000);
        claim.Span.Fill(0xFF);
        using var crashed = _directory.Crash();

        using var again = crashed.Open();
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.Equal([1], Payload.ReadNumbers(consumer));
        using var successor = again.OpenProducer();
        successor.Publish(Payload.Of(2));
        Assert.Equal([2], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Names_of_a_page_that_the_disk_kept_go_on_beside_those_of_a_lost_one()
    {
        const int Names = 4096 + (256 * 384);
        const int PageBytes = 4096;
        using (var queue = OpenFlushed(_directory))
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, 2);
            for (var name = 0; name < 20; name++)
            {
                using var consumer = queue.OpenConsumer<RawMessage>($"name {name}");
                Assert.True(consumer.TryRead(out var delivery));
                delivery.Commit();
            }
        }

        using var crashed = MachineCrash.Of(_directory, durablePosition: 0);
        QueueDirectory.Damage(crashed.ControlFile, Names, new byte[PageBytes]);

        using var again = OpenFlushed(crashed);

        using var kept = again.OpenConsumer<RawMessage>("name 19");
        using var lost = again.OpenConsumer<RawMessage>("name 0");
        Assert.Equal([1], Payload.ReadNumbers(kept));
        Assert.Equal([0, 1], Payload.ReadNumbers(lost));
    }

    [Theory]
    [InlineData(nameof(MessageQueue.Flush))]
    [InlineData(nameof(MessageQueue.WaitForDurable))]
    [InlineData(nameof(MessageQueue.WaitForDurableAsync))]
    [InlineData(nameof(MessageQueue.ApplyRetention))]
    [InlineData(nameof(MessageQueue.DeleteConsumer))]
    public async Task A_queue_that_was_opened_as_a_crash_of_the_machine_left_it_is_repaired_before_its_files_change(string member)
    {
        long torn;
        using (var queue = OpenFlushed(_directory))
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, 2);
            torn = producer.Publish(Payload.Of(2, 100));
            queue.OpenConsumer<RawMessage>("idle").Dispose();
        }

        using var crashed = MachineCrash.Of(_directory, durablePosition: torn);
        QueueDirectory.Damage(crashed.SegmentFile(0), torn + 50, 0xFF);

        using (var existing = MessageQueue.OpenExisting(crashed.Path))
        {
            await Use(existing, member, torn);
            Assert.Equal((torn, torn), (existing.Recovery?.Position, existing.DurablePosition));
        }

        using var again = OpenFlushed(crashed);
        using var survivor = again.OpenConsumer<RawMessage>("all");
        Assert.Equal([0, 1], Payload.ReadNumbers(survivor));
    }

    [Fact]
    public void A_reservation_that_fills_the_segment_to_its_end_is_skipped_too()
    {
        using var queue = _directory.OpenSingle();
        using var producer = queue.OpenProducer();
        using var claim = producer.Claim(producer.MaxMessageBytes);
        using var crashed = _directory.Crash();

        using var again = crashed.Open();
        using var successor = again.OpenProducer();
        Assert.Equal(QueueDirectory.SmallSegment + QueueDirectory.FirstRecord, successor.Publish(Payload.Of(2)));
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.Equal([2], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_segment_that_was_created_but_not_opened_is_used_by_the_successor()
    {
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            producer.Publish(Payload.Of(1));
        }

        var handle = QueueHandle.Open(_directory.Path);
        ((FileSegments)handle.Segments).CreateFile(1, "1.creating");
        handle.Release();
        Assert.True(File.Exists(_directory.SegmentFile(QueueDirectory.SmallSegment)));

        using var again = _directory.Open();
        using var successor = again.OpenProducer();
        Payload.PublishNumbers(successor, 2, 5_000);
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.Equal(Enumerable.Range(1, 5_001), Payload.ReadNumbers(consumer));
    }

    [Theory]
    [InlineData(QueueMode.Durable)]
    [InlineData(QueueMode.Bounded)]
    public void A_segment_that_was_opened_before_the_one_in_front_was_padded_is_used_by_the_successor(QueueMode mode)
    {
        using var directory = new QueueDirectory(mode, ProducerMode.Single);
        using (var queue = directory.Open())
        using (var producer = queue.OpenProducer())
        {
            Payload.PublishNumbers(producer, 0, 5);
        }

        // What a producer leaves that dies between the two steps.
        var handle = QueueHandle.OpenOrCreate(directory.Path, new MessageQueueOptions(), FilePermissions.OfUser, QueueMode.Durable);
        Assert.True(handle.Segments.TryOpen(1, new SegmentOpener(1, new LivenessProbe(handle.Control))));
        handle.Release();

        using var again = directory.Open();
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.Equal([0, 1, 2, 3, 4], Payload.ReadNumbers(consumer));
        using var successor = again.OpenProducer();
        Payload.PublishNumbers(successor, 5, 2);
        Assert.Equal([5, 6], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Half_created_files_of_a_dead_creator_do_not_matter()
    {
        Directory.CreateDirectory(_directory.Path);
        File.WriteAllBytes(_directory.ControlFile + ".creating", new byte[100]);
        File.WriteAllBytes(_directory.SegmentFile(0) + ".1.creating", new byte[100]);

        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Publish(Payload.Of(1));

        Assert.Equal([1], Payload.ReadNumbers(consumer));
        Assert.Empty(Directory.GetFiles(_directory.Path, "*.creating"));
    }

    [Fact]
    public void The_first_message_after_the_death_of_a_consumer_is_flagged_and_no_other()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Payload.PublishNumbers(producer, 0, 3);
        Assert.True(consumer.TryRead(out var first));
        Assert.False(first.IsRedelivery);
        first.Commit();
        using var crashed = _directory.Crash();

        using var again = crashed.Open();
        using var successor = again.OpenConsumer<RawMessage>("risk");
        Assert.True(successor.TryRead(out var second));
        Assert.True(second.IsRedelivery);
        Assert.Equal(1, Payload.Number(second.Message.Bytes));
        second.Commit();
        Assert.True(successor.TryRead(out var third));
        Assert.False(third.IsRedelivery);
        third.Commit();
    }

    [Fact]
    public void The_flag_of_a_death_stays_until_the_message_is_committed_and_is_gone_then()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Payload.PublishNumbers(producer, 0, 2);
        using var crashed = _directory.Crash();

        using var again = crashed.Open();
        foreach (var (isRedelivery, commits) in new[] { (true, false), (true, true), (false, true) })
        {
            using var successor = again.OpenConsumer<RawMessage>("risk");
            Assert.True(successor.TryRead(out var delivery));
            Assert.Equal(isRedelivery, delivery.IsRedelivery);
            if (commits)
            {
                delivery.Commit();
            }

            delivery.Dispose();
        }
    }

    [Fact]
    public void A_consumer_that_died_while_it_waited_is_no_longer_counted_when_a_process_opens()
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        using var cancellation = new CancellationTokenSource();
        var waiting = new Background(
            () => Assert.ThrowsAny<OperationCanceledException>(() => { consumer.TryRead(out _, Timeout.InfiniteTimeSpan, cancellation.Token); }));
        QueueDirectory? crashed = null;
        do
        {
            Assert.True(waiting.IsRunning, "The consumer waits no longer.");
            crashed?.Dispose();
            crashed = _directory.Crash();
        }
        while (Waiters(crashed) == 0);

        cancellation.Cancel();
        waiting.Join();
        using (crashed)
        {
            using var again = crashed.Open();
            using var producer = again.OpenProducer();
            Assert.Equal(0u, Waiters(crashed));
        }

        static uint Waiters(QueueDirectory directory)
        {
            using var control = new FileStream(directory.ControlFile, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            var header = new byte[4096 + (256 * 384)];
            control.ReadExactly(header);

            // Between the count and the mark the process cannot be told to have waited; the test wants both.
            return BitConverter.ToUInt32(header, 4096 + 384 + 16) == 0 ? 0 : BitConverter.ToUInt32(header, 512);
        }
    }

    private static MessageQueue OpenFlushed(QueueDirectory directory) =>
        MessageQueue.Open(directory.Path, new MessageQueueOptions { SegmentBytes = QueueDirectory.SmallSegment, Flush = FlushMode.Interval });

    private static async Task Use(MessageQueue queue, string member, long position)
    {
        switch (member)
        {
            case nameof(MessageQueue.Flush):
                queue.Flush();
                break;
            case nameof(MessageQueue.WaitForDurable):
                queue.WaitForDurable(position, TimeSpan.Zero);
                break;
            case nameof(MessageQueue.WaitForDurableAsync):
                await queue.WaitForDurableAsync(position, TimeSpan.Zero);
                break;
            case nameof(MessageQueue.ApplyRetention):
                queue.ApplyRetention();
                break;
            default:
                Assert.True(queue.DeleteConsumer("idle"));
                break;
        }
    }
}
