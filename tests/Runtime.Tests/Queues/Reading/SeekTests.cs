namespace BufferedMessages.Runtime.Tests.Queues;

public abstract class SeekTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private const int Count = 5_000;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(30);

    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void Seek_goes_forward_and_backward_to_a_message_and_says_where_the_name_stood()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var positions = Payload.PublishNumbers(producer, 0, Count);

        Assert.Equal(0, consumer.Seek(QueueStart.At(positions[4_000])));
        Assert.Equal(4_000, ReadOne(consumer));
        Assert.Equal(positions[4_001], consumer.Seek(QueueStart.At(positions[10])));
        Assert.Equal(Enumerable.Range(10, Count - 10), Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Seek_goes_to_the_earliest_and_after_the_latest_message()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Payload.PublishNumbers(producer, 0, Count);

        consumer.Seek(QueueStart.Latest);
        Assert.False(consumer.TryRead(out _));
        consumer.Seek(QueueStart.Earliest);
        Assert.Equal(Enumerable.Range(0, Count), Payload.ReadNumbers(consumer));
    }

    [Theory]
    [InlineData(8)]
    [InlineData(16)]
    [InlineData(QueueDirectory.FirstRecord - 16)]
    [InlineData(QueueDirectory.FirstRecord + 8)]
    [InlineData(QueueDirectory.FirstRecord + 48)]
    [InlineData(QueueDirectory.FirstRecord + 96)]
    [InlineData(1L << 40)]
    [InlineData(QueueDirectory.SmallSegment)]
    [InlineData(QueueDirectory.SmallSegment + 16)]
    [InlineData(QueueDirectory.SmallSegment + QueueDirectory.FirstRecord)]
    [InlineData(long.MaxValue)]
    public void Seek_to_where_no_message_starts_is_refused_and_moves_nothing(long position)
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Publish(new byte[64]);

        Assert.Throws<ArgumentOutOfRangeException>(() => consumer.Seek(QueueStart.At(position)));
        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal(QueueDirectory.FirstRecord, delivery.Position);
        delivery.Dispose();
    }

    [Fact]
    public void A_position_in_a_queue_without_any_producer_yet_is_refused_except_the_first()
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("all");

        Assert.Throws<ArgumentOutOfRangeException>(() => consumer.Seek(QueueStart.At(48)));
        Assert.Throws<ArgumentOutOfRangeException>(() => queue.OpenConsumer<RawMessage>("other", new() { Start = QueueStart.At(48) }));
        Assert.Equal(0, consumer.Seek(QueueStart.At(0)));
    }

    [Fact]
    public void Seek_to_the_end_waits_for_the_next_message()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        var last = Payload.PublishNumbers(producer, 0, QueueDirectory.NumbersInSegment)[^1];

        // The messages fill one segment exactly: its end is the beginning of one that is not open yet.
        Assert.Equal(QueueDirectory.SmallSegment - QueueDirectory.NumberRecord, last);
        consumer.Seek(QueueStart.At(last + QueueDirectory.NumberRecord));
        Assert.False(consumer.TryRead(out _));
        producer.Publish(Payload.Of(7));
        Assert.Equal([7], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Seek_with_an_open_delivery_is_refused()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Payload.PublishNumbers(producer, 0, 2);
        Assert.True(consumer.TryRead(out var delivery));

        Assert.Throws<InvalidOperationException>(() => consumer.Seek(QueueStart.Latest));
        delivery.Commit();
        Assert.Equal([1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Seek_of_a_member_moves_the_whole_group()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var first = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        using var second = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Payload.PublishNumbers(producer, 0, Count);
        Assert.Equal(0, ReadOne(second));

        first.Seek(QueueStart.Latest);
        Assert.False(second.TryRead(out _));
        second.Seek(QueueStart.Earliest);
        Assert.Equal(0, ReadOne(first));
        Assert.Equal(1, ReadOne(second));
    }

    [Fact]
    public void What_a_member_has_in_flight_is_its_own_when_another_one_seeks()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var first = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        using var second = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Payload.PublishNumbers(producer, 0, 10);
        Assert.True(first.TryRead(out var delivery));

        second.Seek(QueueStart.Latest);

        Assert.Equal(0, Payload.Number(delivery.Message.Bytes));
        delivery.Commit();
        Assert.False(first.TryRead(out _));
    }

    [Fact]
    public void What_a_member_abandoned_before_its_seek_is_not_given_out_of_turn()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        var positions = Payload.PublishNumbers(producer, 0, 6);
        Assert.True(member.TryRead(out var first));
        first.Abandon();

        member.Seek(QueueStart.At(positions[5]));

        // The message is not in flight any longer either, which would hold up producers and retention.
        Assert.Null(Assert.Single(Assert.Single(queue.GetStatistics().Consumers).Members).Position);
        Assert.True(member.TryRead(out var last));
        Assert.Equal(5, Payload.Number(last.Message.Bytes));
        last.Abandon();

        member.Seek(QueueStart.Earliest);
        Assert.Equal(Enumerable.Range(0, 6), Payload.ReadNumbers(member));
    }

    [Fact]
    public void Seek_back_gives_a_sleeping_member_messages_again()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var seeker = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
        Payload.PublishNumbers(producer, 0, 1);
        Payload.ReadNumbers(seeker);
        using var started = new ManualResetEventSlim();
        var sleeping = new Background(() =>
        {
            using var member = queue.OpenConsumer<RawMessage>("workers", new() { Shared = true });
            started.Set();
            Assert.True(member.TryRead(out var delivery, Generous));
            delivery.Commit();
        });
        started.Wait();

        seeker.Seek(QueueStart.Earliest);

        sleeping.Join();
    }

    [Fact]
    public void A_message_after_one_that_is_still_written_can_be_sought()
    {
        if (_directory.IsSingle)
        {
            return;
        }

        using var queue = _directory.Open();
        using var writing = queue.OpenProducer();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var claim = writing.Claim(100);
        var position = producer.Publish(Payload.Of(5));

        consumer.Seek(QueueStart.At(position));

        Assert.Equal([5], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void The_latest_is_not_after_a_message_that_is_still_written()
    {
        if (_directory.IsSingle)
        {
            return;
        }

        using var queue = _directory.Open();
        using var writing = queue.OpenProducer();
        using var producer = queue.OpenProducer();
        using var claim = writing.Claim(sizeof(int));

        // The last of them is in another segment.
        Payload.PublishNumbers(producer, 1, QueueDirectory.NumbersInSegment);
        using var consumer = queue.OpenConsumer<RawMessage>("late", new() { Start = QueueStart.Latest });
        Payload.Of(0).CopyTo(claim.Span);
        claim.Commit(sizeof(int));

        Assert.Equal(Enumerable.Range(0, QueueDirectory.NumbersInSegment + 1), Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void The_latest_is_after_a_message_that_a_dead_producer_was_writing()
    {
        if (_directory.IsSingle)
        {
            return;
        }

        using var queue = _directory.Open();
        using var writing = queue.OpenProducer();
        using var producer = queue.OpenProducer();
        using var claim = writing.Claim(sizeof(int));
        Payload.PublishNumbers(producer, 0, 3);
        using var crashed = _directory.Crash();

        using var again = crashed.Open();
        using var consumer = again.OpenConsumer<RawMessage>("late", new() { Start = QueueStart.Latest });

        Assert.False(consumer.TryRead(out _));
    }

    private static int ReadOne(MessageConsumer<RawMessage> consumer)
    {
        Assert.True(consumer.TryRead(out var delivery));
        var number = Payload.Number(delivery.Message.Bytes);
        delivery.Commit();
        return number;
    }

    public sealed class DurableSingle() : SeekTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : SeekTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : SeekTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : SeekTests(QueueMode.Bounded, ProducerMode.Multiple);
}
