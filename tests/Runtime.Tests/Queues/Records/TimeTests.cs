namespace BufferedMessages.Runtime.Tests.Queues;

public abstract class TimeTests(QueueMode mode) : IDisposable
{
    private static readonly DateTimeOffset Begin = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private const int OpenedOffset = 80;

    private readonly QueueDirectory _directory = new(mode);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Theory]
    [InlineData(-1, 0)]
    [InlineData(0, 0)]
    [InlineData(1_500, 1_500)]
    [InlineData(4_999, 4_999)]
    [InlineData(5_000, 5_000)]
    public void A_consumer_and_a_reader_begin_at_a_time(int minute, int expected)
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        for (var i = 0; i < 5_000; i++)
        {
            producer.Publish(Payload.Of(i), new MessageProperties { Time = Begin.AddMinutes(i) });
        }

        // The segments were opened today, and all messages are older: the search ends in the first one, and walks over the next.
        using var consumer = queue.OpenConsumer<RawMessage>("all", new() { Start = QueueStart.At(Begin.AddMinutes(minute)) });
        using var reader = queue.OpenReader<RawMessage>(QueueStart.At(Begin.AddMinutes(minute)));
        var numbers = Payload.ReadNumbers(consumer);
        Assert.Equal(Enumerable.Range(expected, 5_000 - expected), numbers.Where(number => number >= expected));
        Assert.All(numbers.Where(number => number < expected), number => Assert.InRange(number, expected - 1_500, expected));
        if (numbers.Count != 0)
        {
            Assert.True(reader.TryRead(out var delivery));
            Assert.Equal(numbers[0], Payload.Number(delivery.Message.Bytes));
            delivery.Dispose();
        }
    }

    [Fact]
    public void The_search_passes_over_whole_segments_and_then_over_stamped_messages()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(new() { StampTime = true });
        var times = new List<DateTimeOffset>();
        for (var i = 0; i < 6; i++)
        {
            times.Add(DateTimeOffset.UtcNow);
            for (var k = 0; k < 400; k++)
            {
                producer.Publish(Payload.Of((i * 400) + k));
            }

            Thread.Sleep(20);
        }

        for (var i = 0; i < times.Count; i++)
        {
            using var reader = queue.OpenReader<RawMessage>(QueueStart.At(times[i]));
            Assert.True(reader.TryRead(out var delivery));
            Assert.Equal(i * 400, Payload.Number(delivery.Message.Bytes));
            delivery.Dispose();
        }

        using var consumer = queue.OpenConsumer<RawMessage>("late", new() { Start = QueueStart.At(DateTimeOffset.UtcNow) });
        Assert.False(consumer.TryRead(out _));
        producer.Publish(Payload.Of(9_999));
        Assert.Equal([9_999], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_clock_that_was_set_back_passes_over_no_later_message()
    {
        int[] minutes = [0, 60, 30, 40];
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            for (var i = 0; i < minutes.Length; i++)
            {
                producer.Publish(Payload.Of(i, 60_000), new MessageProperties { Time = Begin.AddMinutes(minutes[i]) });
            }
        }

        for (var i = 0; i < minutes.Length; i++)
        {
            QueueFormat.ChangeHeader(_directory, i, OpenedOffset, BitConverter.GetBytes(Begin.AddMinutes(minutes[i]).UtcTicks));
        }

        using var again = MessageQueue.OpenExisting(_directory.Path);
        using var consumer = again.OpenConsumer<RawMessage>("all", new() { Start = QueueStart.At(Begin.AddMinutes(45)) });
        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal(Payload.Of(1, 60_000), delivery.Message.Bytes);
    }

    // The last segment is there so that each of the others has a next one.
    [Theory]
    [InlineData(new[] { 0, 3_000, 1_800, 2_400 }, new[] { 0, 3_600, 1_800, 2_400 }, 3_300, 1)]
    [InlineData(new[] { 0, 20, 300, 600 }, new[] { 50, 20, 300, 600 }, 40, 0)]
    [InlineData(new[] { 0, 1_000, 2_000, 3_000 }, new[] { 0, 1_050, 2_030, 3_000 }, 2_010, 2)]
    public void A_message_that_is_later_than_the_opening_of_the_next_segment_is_not_passed_over(int[] openings, int[] times, int asked, int expected)
    {
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        {
            for (var i = 0; i < times.Length; i++)
            {
                producer.Publish(Payload.Of(i, 60_000), new MessageProperties { Time = Begin.AddSeconds(times[i]) });
            }
        }

        for (var i = 0; i < openings.Length; i++)
        {
            QueueFormat.ChangeHeader(_directory, i, OpenedOffset, BitConverter.GetBytes(Begin.AddSeconds(openings[i]).UtcTicks));
        }

        using var again = MessageQueue.OpenExisting(_directory.Path);
        using var consumer = again.OpenConsumer<RawMessage>("all", new() { Start = QueueStart.At(Begin.AddSeconds(asked)) });
        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal(Payload.Of(expected, 60_000), delivery.Message.Bytes);
        delivery.Dispose();
    }

    [Fact]
    public void A_message_is_not_passed_over_whose_claim_was_held_while_others_filled_its_segment()
    {
        using var queue = _directory.Open();
        using var slow = queue.OpenProducer(new() { StampTime = true });
        using var fast = queue.OpenProducer(new() { StampTime = true });
        fast.Publish(Payload.Of(0));
        var claim = slow.Claim(sizeof(int));
        Payload.PublishNumbers(fast, 10, 2_000);
        Thread.Sleep(20);
        var time = DateTimeOffset.UtcNow;

        // Before it is published, and after that.
        using var early = queue.OpenConsumer<RawMessage>("early", new() { Start = QueueStart.At(time) });
        Payload.Of(1).CopyTo(claim.Span);
        claim.Commit(sizeof(int));
        using var late = queue.OpenConsumer<RawMessage>("late", new() { Start = QueueStart.At(time) });

        foreach (var consumer in new[] { early, late })
        {
            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal(1, Payload.Number(delivery.Message.Bytes));
            delivery.Dispose();
        }
    }

    [Fact]
    public void Messages_without_a_time_are_passed_over_with_a_segment_that_was_full_by_then()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, QueueDirectory.NumbersInSegment + 1);

        using var consumer = queue.OpenConsumer<RawMessage>("all", new() { Start = QueueStart.At(DateTimeOffset.UtcNow) });
        Assert.Equal([QueueDirectory.NumbersInSegment], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Messages_without_a_time_are_not_passed_over()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 10);

        using var consumer = queue.OpenConsumer<RawMessage>("all", new() { Start = QueueStart.At(DateTimeOffset.UtcNow.AddHours(1)) });
        Assert.Equal(Enumerable.Range(0, 10), Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_time_in_an_empty_queue_is_its_beginning()
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("all", new() { Start = QueueStart.At(DateTimeOffset.UtcNow) });
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1));
        Assert.Equal([1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void The_age_of_the_oldest_unread_message_is_that_of_its_stamp()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(new() { StampTime = true });
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.Null(queue.GetStatistics().Consumers[0].OldestUnreadAge);

        producer.Publish(Payload.Of(1), new MessageProperties { Time = DateTimeOffset.UtcNow.AddHours(-2) });
        producer.Publish(Payload.Of(2));
        Assert.InRange(queue.GetStatistics().Consumers[0].OldestUnreadAge!.Value, TimeSpan.FromHours(2), TimeSpan.FromHours(2.1));
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Commit();
        Assert.InRange(queue.GetStatistics().Consumers[0].OldestUnreadAge!.Value, TimeSpan.Zero, TimeSpan.FromMinutes(5));
        Assert.Single(Payload.ReadNumbers(consumer));
        Assert.Null(queue.GetStatistics().Consumers[0].OldestUnreadAge);
        Assert.Equal(0, queue.GetStatistics().Consumers[0].LagBytes);
    }

    [Fact]
    public void Without_a_stamp_the_age_is_that_of_the_segment()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Thread.Sleep(50);
        producer.Publish(Payload.Of(1));
        Assert.True(queue.GetStatistics().Consumers[0].OldestUnreadAge >= TimeSpan.FromMilliseconds(50));
    }

    public sealed class Durable() : TimeTests(QueueMode.Durable);

    public sealed class Bounded() : TimeTests(QueueMode.Bounded);
}
