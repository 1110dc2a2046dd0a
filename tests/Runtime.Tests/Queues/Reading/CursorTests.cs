namespace BufferedMessages.Runtime.Tests.Queues;

public abstract class CursorTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void A_name_goes_on_where_it_was_when_the_queue_is_opened_again()
    {
        using (var queue = _directory.Open())
        using (var producer = queue.OpenProducer())
        using (var consumer = queue.OpenConsumer<RawMessage>("risk"))
        {
            Payload.PublishNumbers(producer, 0, 10);
            for (var i = 0; i < 4; i++)
            {
                Assert.True(consumer.TryRead(out var delivery));
                delivery.Commit();
            }
        }

        using var again = _directory.Open();
        using var later = again.OpenConsumer<RawMessage>("risk", new() { Start = QueueStart.Latest });
        Assert.Equal(Enumerable.Range(4, 6), Payload.ReadNumbers(later));
    }

    [Fact]
    public void A_producer_goes_on_after_the_last_message_when_the_queue_is_opened_again()
    {
        for (var round = 0; round < 5; round++)
        {
            using var queue = _directory.Open();
            using var producer = queue.OpenProducer();
            Payload.PublishNumbers(producer, round * 1_500, 1_500);
        }

        using var reopened = _directory.Open();
        using var consumer = reopened.OpenConsumer<RawMessage>("all");
        Assert.Equal(Enumerable.Range(0, 7_500), Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_delivery_that_is_not_committed_is_delivered_again()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Payload.PublishNumbers(producer, 0, 2);

        Assert.True(consumer.TryRead(out var delivery));
        delivery.Dispose();

        Assert.Equal([0, 1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_loop_commits_a_message_when_it_asks_for_the_next_and_break_leaves_the_last_one()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Payload.PublishNumbers(producer, 0, 5_000);
        var seen = new List<int>();
        foreach (var delivery in consumer.ReadAll())
        {
            seen.Add(Payload.Number(delivery.Message.Bytes));
            if (seen.Count == 3_000)
            {
                break;
            }
        }

        Assert.Equal(Enumerable.Range(0, 3_000), seen);
        Assert.Equal(Enumerable.Range(2_999, 2_001), Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void An_exception_in_a_loop_leaves_its_message_uncommitted()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");
        Payload.PublishNumbers(producer, 0, 3);

        Assert.Throws<FormatException>(() =>
        {
            foreach (var delivery in consumer.ReadAll())
            {
                if (Payload.Number(delivery.Message.Bytes) == 1)
                {
                    throw new FormatException();
                }
            }
        });

        Assert.Equal([1, 2], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Latest_begins_after_everything_that_is_published()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 3_000);
        using var consumer = queue.OpenConsumer<RawMessage>("late", new() { Start = QueueStart.Latest });
        Payload.PublishNumbers(producer, 3_000, 5);

        Assert.Equal(Enumerable.Range(3_000, 5), Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void Latest_on_an_empty_queue_begins_at_the_first_message()
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("late", new() { Start = QueueStart.Latest });
        using var producer = queue.OpenProducer();
        Payload.PublishNumbers(producer, 0, 2);

        Assert.Equal([0, 1], Payload.ReadNumbers(consumer));
    }

    [Fact]
    public void A_position_begins_at_the_message_that_was_published_there()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        var positions = Payload.PublishNumbers(producer, 0, 5_000);
        using var consumer = queue.OpenConsumer<RawMessage>("at", new() { Start = QueueStart.At(positions[2_345]) });

        Assert.Equal(Enumerable.Range(2_345, 5_000 - 2_345), Payload.ReadNumbers(consumer));
    }

    [Theory]
    [InlineData(8)]
    [InlineData(48)]
    [InlineData(1L << 40)]
    [InlineData(QueueDirectory.SmallSegment + 32)]
    public void A_position_where_no_message_starts_is_refused(long position)
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        producer.Publish(new byte[64]);

        Assert.Throws<ArgumentOutOfRangeException>(() => queue.OpenConsumer<RawMessage>("at", new() { Start = QueueStart.At(position) }));
        using var consumer = queue.OpenConsumer<RawMessage>("at");
        Assert.True(consumer.TryRead(out var delivery));
        delivery.Dispose();
    }

    [Fact]
    public void A_second_consumer_of_a_name_is_refused_and_told_which_process_has_it()
    {
        using var queue = _directory.Open();
        using var consumer = queue.OpenConsumer<RawMessage>("risk");

        var exception = Assert.Throws<QueueInUseException>(() => queue.OpenConsumer<RawMessage>("risk"));

        Assert.Equal(Environment.ProcessId, exception.ProcessId);
        Assert.Contains("'risk'", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_second_producer_is_refused_and_told_which_process_is_the_first()
    {
        using var queue = _directory.OpenSingle();
        using var producer = queue.OpenProducer();

        var exception = Assert.Throws<QueueInUseException>(() => queue.OpenProducer());

        Assert.Equal(Environment.ProcessId, exception.ProcessId);
    }

    [Fact]
    public void A_name_is_free_again_when_its_consumer_is_closed()
    {
        using var queue = _directory.Open();
        for (var i = 0; i < 300; i++)
        {
            using var consumer = queue.OpenConsumer<RawMessage>("risk");
            using var producer = queue.OpenProducer();
        }
    }

    [Fact]
    public void The_queue_refuses_one_name_too_many_and_keeps_the_others()
    {
        using var queue = _directory.Open();
        var consumers = Enumerable.Range(0, 254).Select(i => queue.OpenConsumer<RawMessage>($"name {i}")).ToList();
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(1));

        Assert.Throws<InvalidOperationException>(() => queue.OpenConsumer<RawMessage>("one too many"));
        Assert.All(consumers, consumer => Assert.Equal([1], Payload.ReadNumbers(consumer)));
        consumers.ForEach(consumer => consumer.Dispose());
    }

    [Fact]
    public void A_name_that_is_empty_or_too_long_or_has_half_a_surrogate_pair_is_refused()
    {
        using var queue = _directory.Open();

        Assert.Throws<ArgumentException>(() => queue.OpenConsumer<RawMessage>(""));
        Assert.Throws<ArgumentException>(() => queue.OpenConsumer<RawMessage>(new string('ä', 59)));
        Assert.Throws<ArgumentException>(() => queue.OpenConsumer<RawMessage>("half \ud83d"));
        using var longest = queue.OpenConsumer<RawMessage>(new string('ä', 58));
    }

    public sealed class DurableSingle() : CursorTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : CursorTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : CursorTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : CursorTests(QueueMode.Bounded, ProducerMode.Multiple);
}
