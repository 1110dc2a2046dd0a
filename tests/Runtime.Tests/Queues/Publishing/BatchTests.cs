using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Many messages are published by one store: consumers see all of them or none.</summary>
public abstract partial class BatchTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private const int LargestBatch = (int)QueueDirectory.SmallSegment - SegmentHeader.Bytes;
    private const int LargestRecord = 640;

    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void The_messages_of_a_batch_come_in_their_order_and_without_a_gap()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Numbered>();
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");
        producer.Publish(new Numbered { Number = -1 });

        var first = producer.PublishAll([.. Enumerable.Range(0, 100).Select(number => new Numbered { Number = number, Text = new string('x', number) })]);
        producer.Publish(new Numbered { Number = 100 });

        for (var number = -1; number <= 100; number++)
        {
            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal(number, delivery.Message.Number);
            Assert.Equal(Math.Clamp(number, 0, number == 100 ? 0 : 100), delivery.Message.Text.Length);
            if (number == 0)
            {
                Assert.Equal(first, delivery.Position);
            }

            Assert.Equal(consumer.Position, delivery.Position);
            delivery.Commit();
        }

        Assert.False(consumer.TryRead(out _));
        Assert.Equal(102, Assert.Single(queue.GetStatistics().Producers).Messages);
    }

    [Fact]
    public void A_consumer_a_member_a_reader_and_a_seek_see_nothing_of_an_open_batch_and_then_all_of_it()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var member = queue.OpenConsumer<RawMessage>("group", new() { Shared = true });
        using var reader = queue.OpenReader<RawMessage>();
        using var batch = producer.ClaimBatch(10_000);
        for (var number = 0; number < 20; number++)
        {
            Assert.True(batch.TryAdd(Payload.Of(number)));
            Assert.False(consumer.TryRead(out _));
            Assert.False(member.TryRead(out _));
            Assert.False(reader.TryRead(out _));
        }

        var before = queue.PublishedPosition;
        var first = batch.Publish();

        Assert.Equal(before, first);
        Assert.Equal(first + (20 * QueueDirectory.NumberRecord), EndOfMessages(queue));
        Assert.Equal(Enumerable.Range(0, 20), Payload.ReadNumbers(consumer));
        Assert.Equal(Enumerable.Range(0, 20), Payload.ReadNumbers(member));
        for (var number = 0; number < 20; number++)
        {
            Assert.True(reader.TryRead(out var looked));
            Assert.Equal(number, Payload.Number(looked.Message.Bytes));
        }

        consumer.Seek(QueueStart.At(first + (7 * QueueDirectory.NumberRecord)));
        Assert.Equal(Enumerable.Range(7, 13), Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_batch_that_is_not_published_leaves_nothing()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using (var batch = producer.ClaimBatch(10_000))
        {
            Assert.True(batch.TryAdd(Payload.Of(1)));
            Assert.True(batch.TryAdd(Payload.Of(2)));
        }

        using (var empty = producer.ClaimBatch(500))
        {
            Assert.Equal(0, empty.Publish());
        }

        producer.Publish(Payload.Of(3));
        Assert.Equal([3], Payload.ReadNumbers(consumer));
        Assert.Equal(1, Assert.Single(queue.GetStatistics().Producers).Messages);
    }

    [Fact]
    public void A_dead_producers_batch_is_stepped_over_as_a_whole_however_far_it_had_come()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(new() { StampTime = true });
        queue.OpenConsumer<RawMessage>("all").Dispose();
        queue.OpenConsumer<RawMessage>("group", new() { Shared = true }).Dispose();
        producer.Publish(Payload.Of(1));
        using var batch = producer.ClaimBatch(2_000);
        for (var added = 0; added < 4; added++)
        {
            using var crashed = _directory.Crash();
            using var survivor = crashed.Open();
            using var reader = survivor.OpenReader<RawMessage>();
            Assert.True(reader.TryRead(out _));
            Assert.False(reader.TryRead(out _));
            using (var successor = survivor.OpenProducer())
            {
                successor.Publish(Payload.Of(2));
            }

            using var consumer = survivor.OpenConsumer<RawMessage>("all");
            using var member = survivor.OpenConsumer<RawMessage>("group", new() { Shared = true });
            Assert.Equal([1, 2], Payload.ReadNumbers(consumer));
            Assert.Equal([1, 2], Payload.ReadNumbers(member));
            Assert.True(reader.TryRead(out _));
            Assert.True(batch.TryAdd(Payload.Of(100 + added)));
        }
    }

    [Fact]
    public void The_largest_batch_fills_a_segment_and_a_larger_one_is_refused_before_anything_is_written()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Publish(Payload.Of(-1));
        var before = queue.PublishedPosition;

        var refused = Assert.Throws<MessageTooLargeException>(() => producer.ClaimBatch(LargestBatch + 1).Dispose());

        Assert.Equal((LargestBatch + 16, LargestBatch), (refused.Size, refused.Limit));
        Assert.Equal(before, queue.PublishedPosition);
        for (var i = 0; i < 3; i++)
        {
            using var batch = producer.ClaimBatch(LargestBatch);
            for (var number = 0; number < QueueDirectory.NumbersInSegment; number++)
            {
                Assert.True(batch.TryAdd(Payload.Of(number)));
            }

            Assert.False(batch.TryAdd([]));
            Assert.Equal(QueueDirectory.NumbersInSegment, batch.Count);
            Assert.Equal(((i + 1) * QueueDirectory.SmallSegment) + SegmentHeader.Bytes, batch.Publish());
        }

        Assert.Equal([-1, .. Enumerable.Repeat(Enumerable.Range(0, QueueDirectory.NumbersInSegment), 3).SelectMany(numbers => numbers)], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Objects_that_do_not_fit_into_a_segment_are_refused_and_the_producer_goes_on()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Numbered>();
        var large = Enumerable.Range(0, 10).Select(_ => new Numbered { Text = new string('x', 10_000) }).ToArray();

        var refused = Assert.Throws<MessageTooLargeException>(() => producer.PublishAll(large));

        Assert.Contains("segment", refused.Message, StringComparison.Ordinal);
        Assert.Equal(0, queue.PublishedPosition % QueueDirectory.SmallSegment % SegmentHeader.Bytes);
        Assert.True(producer.PublishAll(large.AsSpan(0, 3)) > 0);
    }

    [Fact]
    public void Batches_and_messages_take_turns_over_many_segments()
    {
        using var queue = _directory.Open(slots: 3);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var random = new Random(22);
        var (published, read) = (0, 0);
        while (published < 20_000)
        {
            var count = random.Next(60);
            if (count == 0)
            {
                producer.Publish(Payload.Of(published++, 100));
            }
            else
            {
                Assert.True(producer.TryClaimBatch(random.Next(LargestRecord, (count + 1) * LargestRecord), out var batch));
                using (batch)
                {
                    while (count-- > 0 && batch.TryAdd(Payload.Of(published, random.Next(LargestRecord - 16))))
                    {
                        published++;
                    }

                    batch.Publish();
                }
            }

            for (; consumer.TryRead(out var delivery); read++)
            {
                Assert.Equal(Payload.Of(read, delivery.Message.Bytes.Length), delivery.Message.Bytes);
                delivery.Commit();
            }

            Assert.Equal(published, read);
        }
    }

    [Fact]
    public void Each_message_of_a_batch_has_its_properties_and_the_stamps()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(new() { StampTime = true });
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using (var batch = producer.ClaimBatch(10_000))
        {
            for (var number = 0; number < 10; number++)
            {
                Assert.True(batch.TryAdd(Payload.Of(number, number), number % 2 == 0 ? new() { CorrelationId = $"{number}", Headers = { ["name"] = new string('x', number) } } : null));
            }

            batch.Publish();
        }

        for (var number = 0; number < 10; number++)
        {
            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal(Payload.Of(number, number), delivery.Message.Bytes);
            Assert.NotNull(delivery.Properties.Time);
            Assert.Equal(number % 2 == 0 ? $"{number}" : null, delivery.Properties.ToProperties().CorrelationId);
            delivery.Commit();
        }
    }

    [Fact]
    public void All_objects_of_a_batch_have_the_properties_that_are_given()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Numbered>();
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");

        producer.PublishAll([new() { Number = 1 }, new() { Number = 2, Text = "two" }], new MessageProperties { CorrelationId = "import 7" });
        producer.PublishAll([new() { Number = 3 }]);

        for (var number = 1; number <= 3; number++)
        {
            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal(number, delivery.Message.Number);
            Assert.Equal(number < 3 ? "import 7" : null, delivery.Properties.ToProperties().CorrelationId);
            delivery.Commit();
        }
    }

    [Fact]
    public void An_object_that_cannot_be_written_leaves_nothing_of_its_batch()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Numbered>();
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");
        var endless = new Numbered { Number = 2 };
        endless.Next = endless;

        Assert.Throws<MessageTooDeepException>(() => producer.PublishAll([new() { Number = 1 }, endless]));
        Assert.Throws<ArgumentNullException>(() => producer.PublishAll([new() { Number = 1 }, null!]));
        Assert.Throws<ArgumentException>(() => producer.PublishAll([new() { Number = 1 }], new MessageProperties { Reason = new string('x', 100_000) }));
        Assert.Equal(0, producer.PublishAll([]));
        producer.Publish(new Numbered { Number = 3 });

        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal(3, delivery.Message.Number);
        delivery.Commit();
    }

    [Fact]
    public async Task A_closed_producer_refuses_a_batch_without_objects_too()
    {
        using var queue = _directory.Open();
        var producer = queue.OpenProducer<Numbered>();
        producer.Dispose();

        Assert.Throws<ObjectDisposedException>(() => producer.PublishAll([]));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await producer.PublishAllAsync(ReadOnlyMemory<Numbered>.Empty));
    }

    [Fact]
    public async Task A_full_queue_is_waited_for_and_told()
    {
        if (mode == QueueMode.Durable)
        {
            return;
        }

        using var queue = _directory.Open(slots: 2);
        using var publisher = queue.OpenPublisher<Numbered>();
        var messages = Enumerable.Range(0, 100).Select(number => new Numbered { Number = number }).ToArray();
        var batches = 0;
        while (publisher.TryPublishAll(messages, out _))
        {
            batches++;
        }

        Assert.False(publisher.TryPublishAll(messages, out _, TimeSpan.FromMilliseconds(10)));
        await Assert.ThrowsAsync<TimeoutException>(async () => await publisher.PublishAllAsync(messages, TimeSpan.FromMilliseconds(10)));
        using var cancellation = new CancellationTokenSource(TimeSpan.FromMilliseconds(20));
        Assert.ThrowsAny<OperationCanceledException>(() => publisher.PublishAll(messages, cancellationToken: cancellation.Token));
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");
        var publishing = publisher.PublishAllAsync(messages);
        for (var read = 0; read < (batches + 1) * messages.Length; read++)
        {
            Assert.True(consumer.TryRead(out var delivery, TimeSpan.FromSeconds(30)));
            Assert.Equal(read % messages.Length, delivery.Message.Number);
            delivery.Commit();
        }

        Assert.True(await publishing > 0);
        Assert.False(consumer.TryRead(out _));
    }

    [Fact]
    public void Batches_allocate_nothing()
    {
        using var queue = _directory.Open(segmentBytes: 4 * 1024 * 1024);
        using var publisher = queue.OpenPublisher<Numbered>();
        using var consumer = queue.OpenConsumer<NumberedBufferedMessage>("all");
        Numbered[] messages = [new() { Number = 1 }, new() { Number = 2, Text = "two" }];
        Allocations.AssertNone(() =>
        {
            for (var i = 0; i < 1_000; i++)
            {
                publisher.PublishAll(messages);
            }
        });
    }

    /// <summary>The end of the last message; padding that a queue for many producers has after a batch is not one.</summary>
    private static long EndOfMessages(MessageQueue queue)
    {
        using var reader = queue.OpenReader<RawMessage>();
        var end = 0L;
        while (reader.TryRead(out var delivery))
        {
            end = delivery.Position + QueueDirectory.NumberRecord;
        }

        return end;
    }

    [BufferedMessageSource]
    internal sealed partial class Numbered
    {
        public int Number { get; set; }

        public string Text { get; set; } = "";

        public Numbered? Next { get; set; }
    }

    public sealed class DurableSingle() : BatchTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : BatchTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : BatchTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : BatchTests(QueueMode.Bounded, ProducerMode.Multiple);
}
