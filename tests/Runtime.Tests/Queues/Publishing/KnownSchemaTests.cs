namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Messages that are bytes already are published into a queue of their type by a program that has only the schema.</summary>
public sealed partial class KnownSchemaTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void The_bytes_of_one_queue_are_published_into_another_by_the_schema_that_the_first_one_stores()
    {
        using var target = new QueueDirectory();
        using var from = _directory.Open();
        using var to = target.Open();
        using (var producer = from.OpenProducer<Parcel>())
        {
            for (var i = 0; i < 100; i++)
            {
                producer.Publish(new Parcel { Id = i, Note = $"parcel {i}", Weights = [i, i + 1] });
            }
        }

        using var reader = from.OpenReader<RawMessage>();
        using var copier = to.OpenProducer(Assert.Single(from.Schemas));
        while (reader.TryRead(out var delivery))
        {
            copier.Publish(delivery.Message.Bytes);
        }

        using var consumer = to.OpenConsumer<ParcelView>("all");
        for (var i = 0; i < 100; i++)
        {
            Assert.True(consumer.TryRead(out var parcel));
            Assert.Equal(i, parcel.Message.Id);
            Assert.True(parcel.Message.Note == $"parcel {i}");
            Assert.Equal([i, i + 1], parcel.Message.Weights);
            parcel.Commit();
        }
    }

    [Fact]
    public void Bytes_that_are_no_message_of_the_schema_are_refused_with_the_place_and_nothing_is_published()
    {
        using var queue = _directory.Open();
        using var typed = queue.OpenProducer<Parcel>();
        using var producer = queue.OpenProducer(SchemaOf<ParcelView>());
        using var consumer = queue.OpenConsumer<ParcelView>("all");
        var message = new Parcel { Id = 1, Note = "a note that is not within its slot", Weights = [7] }.ToMessageArray();
        message[^9] = 0xFF;

        var exception = Assert.Throws<MalformedMessageException>(() => producer.Publish(message));
        Assert.NotNull(exception.Error);
        Assert.Throws<MalformedMessageException>(() => producer.Publish("no message"u8));
        Assert.Throws<ArgumentException>(() => producer.Publish(5));
        Assert.False(consumer.TryRead(out _));
    }

    [Fact]
    public void A_claim_is_verified_when_it_is_committed_and_stays_open_when_it_is_refused()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(SchemaOf<ParcelView>());
        using var consumer = queue.OpenConsumer<ParcelView>("all");
        var message = new Parcel { Id = 1 }.ToMessageArray();
        using (var claim = producer.Claim(message.Length))
        {
            claim.Span.Clear();
            try
            {
                claim.Commit(message.Length);
                Assert.Fail("Zeros were taken for a message.");
            }
            catch (MalformedMessageException)
            {
                message.CopyTo(claim.Span);
            }

            claim.Commit(message.Length);
        }

        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal(1, delivery.Message.Id);
        delivery.Commit();
    }

    [Fact]
    public void Without_verification_the_bytes_are_published_as_they_are_and_reading_them_stays_safe()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer(SchemaOf<ParcelView>(), verify: false);
        using var consumer = queue.OpenConsumer<ParcelView>("all");

        producer.Publish("no message"u8);

        Assert.True(consumer.TryRead(out var delivery));
        Assert.Throws<MalformedMessageException>(() => delivery.Message.Id);
        delivery.Commit();
    }

    [Fact]
    public void A_schema_that_contradicts_the_queues_is_refused()
    {
        using var queue = _directory.Open();
        using var typed = queue.OpenProducer<Parcel>();

        Assert.Throws<SchemaMismatchException>(() => queue.OpenProducer(MessageSchema.Parse("message Other\n0 string Id\n")));
    }

    [Fact]
    public void A_queue_gives_every_version_of_its_schema_the_oldest_first()
    {
        using var queue = _directory.Open();
        Assert.Empty(queue.Schemas);
        using var first = queue.OpenProducer(MessageSchema.Parse("message Parcel\n0 i32 Id\n"));
        using var second = queue.OpenProducer<Parcel>();
        using var again = queue.OpenProducer<Parcel>();

        Assert.Equal(["message Parcel\n0 i32 Id\n", SchemaOf<ParcelView>().Text], queue.Schemas.Select(schema => schema.Text));
        Assert.Equal(SchemaOf<ParcelView>().Fingerprint, queue.Schemas[1].Fingerprint);
    }

    private static MessageSchema SchemaOf<TView>()
        where TView : IBufferedMessage<TView>, allows ref struct
        => TView.Schema;

    [BufferedMessageSource(ViewName = "ParcelView")]
    internal sealed partial class Parcel
    {
        public int Id { get; set; }

        public string? Note { get; set; }

        public int[]? Weights { get; set; }
    }
}
