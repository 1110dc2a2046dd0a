using BufferedMessages.Runtime.Tests.Messages;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Messages that are written in the queue, without an object.</summary>
public sealed class InPlaceTests : IDisposable
{
    private readonly QueueDirectory _directory = new(QueueMode.Bounded);

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_message_written_in_the_queue_is_read_like_any_other()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Parcel>();
        using var consumer = queue.OpenConsumer<ParcelBufferedMessage>("all");

        using (var claim = producer.Claim<ParcelBufferedMessageWriter>(maxBytes: 2000))
        {
            Parcel.WriteFull(claim.Message);
            claim.Commit();
        }

        Assert.True(consumer.TryRead(out var delivery));
        using (delivery)
        {
            Assert.Equal(Parcel.Full().ToMessageArray(), delivery.Message.ToParcel().ToMessageArray());
        }
    }

    [Theory]
    [InlineData(ProducerMode.Single)]
    [InlineData(ProducerMode.Multiple)]
    public async Task A_negative_timeout_is_refused_while_there_is_room_too(ProducerMode producers)
    {
        using var queue = MessageQueue.Open(_directory.Path, new MessageQueueOptions { Mode = QueueMode.Bounded, Producers = producers, SegmentBytes = QueueDirectory.SmallSegment });
        using var producer = queue.OpenProducer<Parcel>();
        var negative = TimeSpan.FromMilliseconds(-2);

        Assert.Throws<ArgumentOutOfRangeException>(() => producer.TryPublish(new Parcel(), out _, negative));
        Assert.Throws<ArgumentOutOfRangeException>(() => producer.TryPublishAll([new Parcel()], out _, negative));
        Assert.Throws<ArgumentOutOfRangeException>(() => producer.TryClaim<ParcelBufferedMessageWriter>(2000, out _, negative));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(async () => await producer.PublishAsync(new Parcel(), negative));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(async () => await producer.PublishAllAsync(new[] { new Parcel() }, negative));

        Assert.True(producer.TryPublish(new Parcel(), out _));
    }

    [Fact]
    public void A_claim_that_is_not_committed_leaves_nothing()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Parcel>();
        using var consumer = queue.OpenConsumer<ParcelBufferedMessage>("all");

        using (var claim = producer.Claim<ParcelBufferedMessageWriter>(maxBytes: 2000))
        {
            claim.Message.WriteNote("given up");
        }

        producer.Publish(new Parcel { Note = "published" });
        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal("published", delivery.Message.Note.ToString());
        delivery.Dispose();
    }

    [Fact]
    public void A_claim_smaller_than_a_message_without_payload_is_refused_and_the_producer_goes_on()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Parcel>();

        Assert.Throws<ArgumentOutOfRangeException>(() => { producer.Claim<ParcelBufferedMessageWriter>(MessageBuilder<ParcelBufferedMessageWriter>.MinMessageBytes - 1).Dispose(); });

        producer.Publish(new Parcel());
    }

    [Fact]
    public void A_full_queue_gives_no_claim()
    {
        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer<Parcel>();
        using var consumer = queue.OpenConsumer<ParcelBufferedMessage>("all");
        var isClaimed = true;
        for (var i = 0; isClaimed && i < 10_000; i++)
        {
            isClaimed = producer.TryClaim<ParcelBufferedMessageWriter>(1000, out var claim);
            if (isClaimed)
            {
                claim.Commit();
            }

            claim.Dispose();
        }

        Assert.False(isClaimed);
    }

    [Fact]
    public void The_only_producer_gives_back_what_was_not_used()
    {
        using var directory = new QueueDirectory(QueueMode.Bounded, ProducerMode.Single);
        using var queue = directory.Open();
        using var producer = queue.OpenProducer<Parcel>();
        var positions = new List<long>();
        for (var i = 0; i < 2; i++)
        {
            using var claim = producer.Claim<ParcelBufferedMessageWriter>(maxBytes: 4000);
            positions.Add(claim.Commit());
        }

        Assert.InRange(positions[1] - positions[0], 1, 400);
    }

    [Fact]
    public void A_message_that_an_append_left_unfinished_is_not_published()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Parcel>();
        using var consumer = queue.OpenConsumer<ParcelBufferedMessage>("all");
        var failures = 0;
        using (var claim = producer.Claim<ParcelBufferedMessageWriter>(MessageBuilder<ParcelBufferedMessageWriter>.MinMessageBytes))
        {
            try
            {
                claim.Message.WriteNote("longer than the claim is");
            }
            catch (ArgumentException)
            {
                failures++;
            }

            try
            {
                claim.Commit();
            }
            catch (InvalidOperationException)
            {
                failures++;
            }
        }

        Assert.Equal(2, failures);
        Assert.False(consumer.TryRead(out _));
    }
}
