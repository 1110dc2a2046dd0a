using BufferedMessages.Queues;
using BufferedMessages.Runtime.Tests.Segments;
using BufferedMessages.TestKit;

namespace BufferedMessages.Runtime.Tests.Queues;

public sealed class FlushTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Never = TimeSpan.FromHours(1);

    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public void Each_message_is_on_the_disk_when_its_publish_returns(ProducerMode producers)
    {
        using var queue = Open(FlushMode.EveryMessage, producers: producers);
        using var producer = queue.OpenProducer();

        for (var number = 0; number < 20; number++)
        {
            var position = producer.Publish(Payload.Of(number, 20_000));
            Assert.True(queue.DurablePosition > position);
        }

        Assert.Equal(queue.PublishedPosition, queue.DurablePosition);
    }

    [Fact]
    public void A_publish_to_the_disk_waits_for_an_unfinished_record_in_front()
    {
        using var queue = Open(FlushMode.EveryMessage);
        using var first = queue.OpenProducer();
        using var second = queue.OpenProducer();
        using var claimed = new ManualResetEventSlim();
        using var goOn = new ManualResetEventSlim();
        var claiming = new Background(() =>
        {
            using var claim = first.Claim(4);
            claimed.Set();
            goOn.Wait();
            claim.Commit(4);
        });
        claimed.Wait();
        var publishing = new Background(() => second.Publish("behind"u8));
        Assert.True(SpinWait.SpinUntil(() => queue.DurablePosition == QueueDirectory.FirstRecord && Records(queue) == 2, Generous));

        Assert.True(publishing.IsRunning);
        goOn.Set();
        claiming.Join();
        publishing.Join();

        Assert.Equal(queue.PublishedPosition, queue.DurablePosition);
    }

    [Fact]
    public void A_publish_to_the_disk_steps_over_what_a_dead_producer_left_in_front()
    {
        using var queue = Open(FlushMode.EveryMessage);
        using var producer = queue.OpenProducer();
        using var claim = producer.Claim(100);
        claim.Span.Fill(0xFF);
        using var crashed = _directory.Crash();

        using var again = MessageQueue.Open(crashed.Path);
        using var other = again.OpenProducer();
        var position = other.Publish(Payload.Of(1));

        Assert.True(again.DurablePosition > position);
        using var consumer = again.OpenConsumer<RawMessage>("all");
        Assert.Equal([1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Concurrent_producers_all_get_their_messages_to_the_disk()
    {
        using var queue = Open(FlushMode.EveryMessage);
        var producing = Enumerable.Range(0, 4).Select(part => new Background(() =>
        {
            using var producer = queue.OpenProducer();
            for (var number = 0; number < 25; number++)
            {
                var position = producer.Publish(Payload.Of(number, 1_000));
                Assert.True(queue.DurablePosition > position);
            }
        })).ToList();
        producing.ForEach(thread => thread.Join());

        Assert.Equal(queue.PublishedPosition, queue.DurablePosition);
    }

    [Fact]
    public void Publishing_to_the_disk_allocates_nothing()
    {
        using var queue = Open(FlushMode.EveryMessage);
        using var producer = queue.OpenProducer();
        var payload = Payload.Of(1);
        producer.Publish(payload);

        Allocations.AssertNone(() =>
        {
            for (var number = 0; number < 50; number++)
            {
                producer.Publish(payload);
            }
        });
    }

    [Fact]
    public void Messages_come_to_the_disk_by_time()
    {
        using var queue = Open(FlushMode.Interval, TimeSpan.FromMilliseconds(1), int.MaxValue);
        using var producer = queue.OpenProducer();

        producer.Publish("soon"u8);

        Assert.True(SpinWait.SpinUntil(() => queue.DurablePosition == EndOf(1), Generous));
    }

    [Fact]
    public void Cursors_come_to_the_disk_also_while_messages_ask_for_flushes_all_the_time()
    {
        Open(FlushMode.Interval, TimeSpan.FromMilliseconds(200), messages: 1).Dispose();
        var handle = QueueHandle.Open(_directory.Path);
        var flushes = 0;
        var flusher = new IntervalFlusher(handle.Control, handle.Flusher, handle.Events, () => Interlocked.Increment(ref flushes));
        flusher.AddProducer();
        var unflushed = 0;

        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                flusher.Count(ref unflushed, published: 1);
                return Volatile.Read(ref flushes) > 1;
            },
            Generous));

        flusher.RemoveProducer();
        handle.Release();
    }

    [Fact]
    public void Messages_come_to_the_disk_by_number()
    {
        using var queue = Open(FlushMode.Interval, Never, 10);
        using var producer = queue.OpenProducer();

        Payload.PublishNumbers(producer, 0, 10);

        Assert.True(SpinWait.SpinUntil(() => queue.DurablePosition == EndOf(10), Generous));
    }

    [Fact]
    public void Closing_a_producer_brings_its_messages_to_the_disk()
    {
        using var queue = Open(FlushMode.Interval, Never, int.MaxValue);
        var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 9);

        producer.Dispose();

        Assert.Equal(EndOf(9), queue.DurablePosition);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(int.MaxValue)]
    public void One_flush_brings_messages_to_the_disk_that_come_after_the_record_of_a_dead_producer(int messagesOfFlush)
    {
        using var queue = Open(FlushMode.Interval, Never, messagesOfFlush);
        using var producer = queue.OpenProducer();
        using var claim = producer.Claim(100);
        using var crashed = _directory.Crash();

        using var again = MessageQueue.Open(crashed.Path);
        using var other = again.OpenProducer();
        var position = other.Publish(Payload.Of(1));
        if (messagesOfFlush == int.MaxValue)
        {
            // The flush of a producer that closes is the last one.
            other.Dispose();
        }

        Assert.True(SpinWait.SpinUntil(() => again.DurablePosition > position, Generous));
    }

    [Fact]
    public void Background_flushes_go_on_when_the_last_producer_left_and_another_comes()
    {
        using var queue = Open(FlushMode.Interval, TimeSpan.FromMilliseconds(1), int.MaxValue);
        for (var round = 1; round <= 20; round++)
        {
            using var producer = queue.OpenProducer();
            producer.Publish("soon"u8);
            Assert.True(SpinWait.SpinUntil(() => queue.DurablePosition == EndOf(round), Generous));
        }
    }

    [Fact]
    public void Without_a_flush_mode_a_flush_brings_everything_to_the_disk()
    {
        using var queue = Open(FlushMode.None);
        using var producer = queue.OpenProducer();
        var end = Payload.PublishNumbers(producer, 0, 5_000)[^1] + QueueDirectory.NumberRecord;
        Assert.Equal(0, queue.DurablePosition);

        queue.Flush();

        Assert.Equal(end, queue.DurablePosition);
        Assert.Equal(end, queue.PublishedPosition);
    }

    [Theory]
    [InlineData(FlushMode.None)]
    [InlineData(FlushMode.Interval)]
    [InlineData(FlushMode.EveryMessage)]
    public async Task A_wait_brings_the_message_to_the_disk(FlushMode flush)
    {
        using var queue = Open(flush, Never, int.MaxValue);
        using var producer = queue.OpenProducer();

        var first = producer.Publish("first"u8);
        Assert.True(queue.WaitForDurable(first, Generous));
        Assert.True(queue.DurablePosition > first);
        var second = producer.Publish("second"u8);
        Assert.True(await queue.WaitForDurableAsync(second, Generous));
        Assert.True(queue.DurablePosition > second);
    }

    // The producers are used to the end: one that is collected counts as dead, and its claim is stepped over.
    [Fact]
    public async Task A_wait_after_an_unfinished_record_ends_in_time_or_by_its_token()
    {
        using var queue = Open(FlushMode.Interval, Never, int.MaxValue);
        using var first = queue.OpenProducer();
        using var second = queue.OpenProducer();
        HoldClaim(first);
        var position = second.Publish("behind"u8);
        using var cancelled = new CancellationTokenSource(TimeSpan.FromMilliseconds(20));

        Assert.False(queue.WaitForDurable(position, TimeSpan.Zero));
        Assert.False(queue.WaitForDurable(position, TimeSpan.FromMilliseconds(5)));
        Assert.False(await queue.WaitForDurableAsync(position, TimeSpan.FromMilliseconds(5)));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await queue.WaitForDurableAsync(position, Timeout.InfiniteTimeSpan, cancelled.Token));
        Assert.ThrowsAny<OperationCanceledException>(() => queue.WaitForDurable(position, Timeout.InfiniteTimeSpan, cancelled.Token));
        Assert.Equal(QueueDirectory.FirstRecord, queue.DurablePosition);

        static void HoldClaim(MessageProducer producer) => producer.Claim(100).Span.Clear();
    }

    [Fact]
    public void A_wait_for_no_time_brings_a_message_to_the_disk_that_comes_after_the_record_of_a_dead_producer()
    {
        using var queue = Open(FlushMode.None);
        using var producer = queue.OpenProducer();
        using var claim = producer.Claim(100);
        using var crashed = _directory.Crash();
        using var again = MessageQueue.Open(crashed.Path);
        using var other = again.OpenProducer();

        Assert.True(again.WaitForDurable(other.Publish(Payload.Of(1)), TimeSpan.Zero));
    }

    [Fact]
    public void Where_no_message_is_there_is_nothing_to_wait_for()
    {
        using var queue = Open(FlushMode.None);
        Assert.True(queue.WaitForDurable(0, TimeSpan.Zero));
        using var producer = queue.OpenProducer();
        producer.Publish("one"u8);

        Assert.True(queue.WaitForDurable(queue.PublishedPosition, TimeSpan.Zero));
        Assert.True(queue.WaitForDurable(long.MaxValue, TimeSpan.Zero));
        Assert.Equal(EndOf(1), queue.DurablePosition);
    }

    [LinuxFact]
    public async Task Nothing_is_durable_in_a_queue_whose_directory_was_deleted()
    {
        using var queue = Open(FlushMode.EveryMessage);
        using var producer = queue.OpenProducer();
        var position = producer.Publish("one"u8);
        Directory.Delete(_directory.Path, recursive: true);

        Assert.Throws<StaleQueueException>(queue.Flush);
        Assert.Throws<StaleQueueException>(() => queue.WaitForDurable(position, TimeSpan.Zero));
        await Assert.ThrowsAsync<StaleQueueException>(async () => await queue.WaitForDurableAsync(position, TimeSpan.Zero));
    }

    // A touch of the missing bytes would end the process.
    [LinuxFact]
    public void A_wait_for_a_message_whose_file_was_cut_ends_once_that_was_noticed()
    {
        using var isLost = new ManualResetEventSlim();
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions
        {
            SegmentBytes = QueueDirectory.SmallSegment,
            OnEvent = heard =>
            {
                if (heard.Kind == QueueEventKind.FilesLost)
                {
                    isLost.Set();
                }
            },
        });
        using var producer = queue.OpenProducer();
        producer.Publish(new byte[10_000]);
        queue.Flush();
        var position = producer.Publish("one"u8);
        using (var file = new FileStream(_directory.SegmentFile(0), FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            file.SetLength(4096);
        }

        Assert.True(isLost.Wait(Generous));
        Assert.Throws<StaleQueueException>(() => queue.WaitForDurable(position, TimeSpan.Zero));
        Assert.Throws<StaleQueueException>(queue.Flush);
    }

    [Fact]
    public async Task A_bounded_queue_has_nothing_to_flush()
    {
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = QueueDirectory.SmallSegment });
        using var producer = queue.OpenProducer();
        producer.Publish("one"u8);

        Assert.Throws<InvalidOperationException>(queue.Flush);
        Assert.Throws<InvalidOperationException>(() => queue.WaitForDurable(0, TimeSpan.Zero));
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await queue.WaitForDurableAsync(0, TimeSpan.Zero));
        Assert.Equal(EndOf(1), queue.PublishedPosition);
        Assert.Equal(0, queue.DurablePosition);
    }

    [Fact]
    public async Task Everything_throws_after_dispose()
    {
        var queue = Open(FlushMode.None);
        queue.Dispose();

        Assert.Throws<ObjectDisposedException>(queue.Flush);
        Assert.Throws<ObjectDisposedException>(() => queue.PublishedPosition);
        Assert.Throws<ObjectDisposedException>(() => queue.DurablePosition);
        Assert.Throws<ObjectDisposedException>(queue.ApplyRetention);
        Assert.Throws<ObjectDisposedException>(() => queue.WaitForDurable(0, TimeSpan.Zero));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await queue.WaitForDurableAsync(0, TimeSpan.Zero));
    }

    [LinuxFact]
    public async Task A_published_message_whose_file_cannot_be_opened_is_told_as_one_that_is_not_on_the_disk()
    {
        using var queue = Open(FlushMode.EveryMessage);
        using var producer = queue.OpenProducer();
        using (new HiddenPath(_directory.SegmentFile(0)))
        {
            Assert.Throws<FlushFailedException>(() => producer.Publish(Payload.Of(1)));
            Assert.Throws<FlushFailedException>(queue.Flush);
            Assert.Throws<FlushFailedException>(() => queue.WaitForDurable(0, Generous));
            await Assert.ThrowsAsync<FlushFailedException>(async () => await queue.WaitForDurableAsync(0, Generous));
        }

        producer.Publish(Payload.Of(2));

        Assert.Equal(queue.PublishedPosition, queue.DurablePosition);
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.Equal([1, 2], Payload.ReadNumbers(consumer));
    }

    /// <summary>The end of that many records of at most 16 bytes, the first of the queue.</summary>
    private static long EndOf(int records) => QueueDirectory.FirstRecord + (records * QueueDirectory.NumberRecord);

    private MessageQueue Open(FlushMode flush, TimeSpan? interval = null, int? messages = null, ProducerMode? producers = null) => MessageQueue.Open(
        _directory.Path,
        new MessageQueueOptions
        {
            SegmentBytes = QueueDirectory.SmallSegment,
            Flush = flush,
            FlushInterval = flush == FlushMode.Interval ? interval : null,
            FlushMessages = flush == FlushMode.Interval ? messages : null,
            Producers = producers,
        });

    // Records that stand in the first segment after its header, finished or not.
    private int Records(MessageQueue queue)
    {
        using var file = new FileStream(_directory.SegmentFile(0), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        var bytes = new byte[queue.SegmentBytes];
        file.ReadExactly(bytes);
        var count = 0;
        for (var offset = (int)QueueDirectory.FirstRecord; BitConverter.ToUInt64(bytes, offset) != 0; offset += BitConverter.ToInt32(bytes, offset + 4))
        {
            count++;
        }

        return count;
    }
}
