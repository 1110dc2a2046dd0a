using BufferedMessages.Queues;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A reader that is overtaken says so, and what it gave before stays what it was.</summary>
public sealed class OvertakenReaderTests : IDisposable
{
    private const int MessageBytes = 10_000;

    private readonly QueueDirectory _bounded = new(QueueMode.Bounded, ProducerMode.Multiple);
    private readonly QueueDirectory _durable = new();

    public void Dispose()
    {
        _bounded.Dispose();
        _durable.Dispose();
    }

    [Fact]
    public void Producers_that_come_round_overtake_a_reader_which_goes_on_with_what_is_there()
    {
        using var queue = _bounded.Open(slots: 2);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var reader = queue.OpenReader<RawMessage>();
        Publish(producer, consumer, 0, 1);
        Assert.True(reader.TryRead(out var first));
        var next = reader.Position;

        Publish(producer, consumer, 1, 50);

        // A copy of the reader's own: the place of the message holds another one by now.
        Assert.Equal(Payload.Of(0, MessageBytes), first.Message.Bytes);
        var exception = Assert.Throws<MessagesDeletedException>(() => reader.TryRead(out _));
        Assert.Equal(next, exception.Position);
        Assert.True(exception.FirstPosition > next);
        Assert.Throws<MessagesDeletedException>(() => reader.TryRead(out _));
        Assert.Equal(next, reader.Seek(QueueStart.Earliest));
        Assert.True(reader.TryRead(out var later));
        Assert.Equal(exception.FirstPosition + QueueDirectory.FirstRecord, later.Position);
    }

    // A forwarder looks for the message before its position when it connects, and no name holds the segment of that message.
    [Fact]
    public void The_last_message_of_a_segment_is_not_taken_from_a_later_one_in_its_slot()
    {
        using var queue = _bounded.Open(slots: 2);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Publish(producer, consumer, 0, 50);
        var handle = QueueHandle.Open(_bounded.Path);

        Assert.True(handle.Segments.First > 0);
        Assert.False(handle.Segments.TryFindLastMessage(0, QueueDirectory.SmallSegment, out _));
        handle.Release();
    }

    [Fact]
    public void Retention_overtakes_a_reader_which_still_has_the_message_at_hand()
    {
        using var queue = MessageQueue.Open(_durable.Path, new MessageQueueOptions
        {
            SegmentBytes = QueueDirectory.SmallSegment,
            Retention = new QueueRetention { MaxBytes = QueueDirectory.SmallSegment, KeepUnread = false },
        });
        using var producer = queue.OpenProducer();
        using var reader = queue.OpenReader<RawMessage>();
        producer.Publish(Payload.Of(0, MessageBytes));
        Assert.True(reader.TryRead(out var first));

        for (var i = 1; i < 50; i++)
        {
            producer.Publish(Payload.Of(i, MessageBytes));
        }

        Assert.Equal(Payload.Of(0, MessageBytes), first.Message.Bytes);
        Assert.Throws<MessagesDeletedException>(() =>
        {
            while (reader.TryRead(out _))
            {
            }
        });
        reader.Seek(QueueStart.Earliest);
        Assert.True(reader.TryRead(out _));
    }

    [Fact]
    public void A_reader_beside_a_producer_at_full_speed_sees_whole_messages_or_is_told()
    {
        using var queue = _bounded.Open(slots: 2);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        using var reader = queue.OpenReader<RawMessage>();
        using var stop = new CancellationTokenSource();
        var publishing = new Background(() =>
        {
            for (var i = 0; !stop.IsCancellationRequested; i++)
            {
                Publish(producer, consumer, i, 1);
            }
        });
        var (read, overtaken) = (0, 0);
        var start = System.Diagnostics.Stopwatch.GetTimestamp();
        while ((read < 2_000 || overtaken < 20) && System.Diagnostics.Stopwatch.GetElapsedTime(start) < TimeSpan.FromSeconds(30))
        {
            try
            {
                if (reader.TryRead(out var delivery, TimeSpan.FromMilliseconds(10)))
                {
                    var bytes = delivery.Message.Bytes;
                    Assert.Equal(MessageBytes, bytes.Length);
                    for (var i = 1; i < bytes.Length; i++)
                    {
                        Assert.True(bytes[i] == (byte)(bytes[i - 1] + 1), $"byte {i} is of another message");
                    }

                    read++;
                }
            }
            catch (MessagesDeletedException)
            {
                overtaken++;
                reader.Seek(QueueStart.Earliest);
            }
        }

        stop.Cancel();
        publishing.Join();
        Assert.True(read >= 100 && overtaken >= 20, $"{read} messages were read, and the reader was overtaken {overtaken} times: the test tests nothing.");
    }

    private static void Publish(MessageProducer producer, MessageConsumer<RawMessage> consumer, int first, int count)
    {
        for (var i = first; i < first + count; i++)
        {
            producer.Publish(Payload.Of(i, MessageBytes));
            Assert.True(consumer.TryRead(out var delivery));
            delivery.Commit();
        }
    }
}
