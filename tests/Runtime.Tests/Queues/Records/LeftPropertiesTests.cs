namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>The properties of a message that was published, refused or given up are not those of the next message, and take no bytes of it.</summary>
public abstract class LeftPropertiesTests(ProducerMode producers) : IDisposable
{
    private readonly QueueDirectory _directory = new(QueueMode.Bounded, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void A_claim_after_a_message_with_properties_has_none()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Publish(Payload.Of(0), Given());
        Assert.Equal([0], Payload.ReadNumbers(consumer));

        AssertNextHasNone(producer, consumer);
    }

    [Fact]
    public void A_claim_after_one_with_properties_that_was_given_up_has_none()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        producer.Claim(100, Given()).Dispose();

        AssertNextHasNone(producer, consumer);
    }

    [Fact]
    public void A_claim_after_a_message_that_was_too_large_with_its_properties_has_none()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        Assert.Throws<MessageTooLargeException>(() => producer.Publish(new byte[producer.MaxMessageBytes], Given()));

        AssertNextHasNone(producer, consumer);
    }

    [Fact]
    public void A_claim_after_messages_with_properties_that_found_no_room_has_none()
    {
        using var queue = _directory.Open(slots: 2);
        using var producer = queue.OpenProducer();
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        while (producer.TryPublish(Payload.Of(0), out _))
        {
        }

        Assert.False(producer.TryPublish(Payload.Of(1), out _, properties: Given()));
        Assert.False(producer.TryClaim(100, out _, TimeSpan.FromMilliseconds(5), Given()));
        Assert.All(Payload.ReadNumbers(consumer), static number => Assert.Equal(0, number));

        AssertNextHasNone(producer, consumer);
    }

    private static MessageProperties Given() => new() { CorrelationId = "left", Reason = new string('x', 200) };

    private static void AssertNextHasNone(MessageProducer producer, MessageConsumer<RawMessage> consumer)
    {
        using (var claim = producer.Claim(sizeof(int)))
        {
            Payload.Of(1).CopyTo(claim.Span);
            claim.Commit(sizeof(int));
        }

        var next = producer.Publish(Payload.Of(2));

        Assert.True(consumer.TryRead(out var delivery));
        Assert.Equal(Payload.Of(1), delivery.Message.Bytes);
        Assert.True(delivery.Properties.IsEmpty);
        Assert.Equal(QueueDirectory.NumberRecord, next - delivery.Position);
        delivery.Commit();
        Assert.Equal([2], Payload.ReadNumbers(consumer));
    }

    public sealed class OneProducer() : LeftPropertiesTests(ProducerMode.Single);

    public sealed class ManyProducers() : LeftPropertiesTests(ProducerMode.Multiple);
}
