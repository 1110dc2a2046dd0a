using BufferedMessages.Runtime.Tests.Converters;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>Each kind of message of a queue has a text of limited length, and members with a converter are read in the queue.</summary>
public sealed class DeliveredTextTests : IDisposable
{
    private readonly QueueDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Bytes_read_as_hexadecimal_digits()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer();
        producer.Publish([1, 0xAB]);
        producer.Publish(new byte[1000]);

        using var reader = queue.OpenReader<RawMessage>();
        Assert.True(reader.TryRead(out var first));
        Assert.Equal("01AB", first.Message.ToString());
        Assert.True(reader.TryRead(out var second));
        Assert.Equal(new string('0', 1000) + "...", second.Message.ToString());
    }

    [Fact]
    public void Members_with_a_converter_are_read_in_the_queue()
    {
        using var queue = _directory.Open();
        using var producer = queue.OpenProducer<Shop>();
        producer.Publish(new Shop { Site = new Uri("https://example.org/"), Price = new Money(2.5m, '$') });

        using var reader = queue.OpenReader<ShopBufferedMessage>();
        Assert.True(reader.TryRead(out var delivery));
        var view = delivery.Message;
        Assert.Equal("https://example.org/", view.Site?.OriginalString);
        Assert.Equal(new Money(2.5m, '$'), view.Price);
    }
}
