using System.Globalization;

namespace BufferedMessages.CrossProcess.Evolution;

/// <summary>A program that has a converter for a member, and one that has none, at work on the same messages.</summary>
public sealed class ConverterTests : IDisposable
{
    private readonly QueueDirectory _offers = new();
    private readonly QueueDirectory _answers = new();

    public void Dispose()
    {
        _offers.Dispose();
        _answers.Dispose();
    }

    [Fact]
    public void A_process_with_converters_and_one_without_read_each_other()
    {
        using var offers = MessageQueue.Open(_offers.Queue);
        using var answers = MessageQueue.Open(_answers.Queue);
        using var producer = offers.OpenProducer<Plain.Offer>();
        using var plain = answers.OpenConsumer<Plain.OfferBufferedMessage>("plain");
        using var converted = answers.OpenConsumer<Converted.OfferBufferedMessage>("converted");
        using var peer = Peer.Start(nameof(EvolutionParts.DoubleOffers), _offers.Queue, _answers.Queue);
        Assert.Equal("ready", peer.Hear());

        producer.Publish(new Plain.Offer { Site = "https://example.org/lamps", Price = 1_250, Links = ["https://example.org/a", "https://example.org/b"] });
        producer.Publish(new Plain.Offer { Price = -1 });

        Assert.Equal("example.org 12.5", peer.Hear());
        Assert.Equal("nowhere -0.01", peer.Hear());
        var texts = new List<string>();
        for (var i = 0; i < 2; i++)
        {
            Assert.True(plain.TryRead(out var delivery, TimeSpan.FromSeconds(30)));
            texts.Add(string.Create(CultureInfo.InvariantCulture, $"{delivery.Message.Site} {delivery.Message.Price} {delivery.Message.Links.Count}"));
            delivery.Commit();
            Assert.True(converted.TryRead(out var same, TimeSpan.FromSeconds(30)));
            texts.Add(string.Create(CultureInfo.InvariantCulture, $"{same.Message.Site} {same.Message.Price:0.00} {same.Message.ToOffer().Links?[^1]}"));
            same.Commit();
        }

        Assert.Equal(["https://example.org/lamps 2500 2", "https://example.org/lamps 25.00 https://example.org/b", " -2 0", " -0.02 "], texts);
    }

    [Fact]
    public void A_value_that_the_converter_does_not_know_is_refused_by_name_and_the_next_message_is_read()
    {
        using var offers = MessageQueue.Open(_offers.Queue);
        using var producer = offers.OpenProducer<Plain.Offer>();
        using var consumer = offers.OpenConsumer<Converted.OfferBufferedMessage>("all");
        producer.Publish(new Plain.Offer { Site = "lamps", Price = 1 });
        producer.Publish(new Plain.Offer { Site = "https://example.org", Price = 2 });

        Assert.True(consumer.TryRead(out var delivery));
        var message = delivery.Message;
        MalformedMessageException? exception = null;
        try
        {
            _ = message.Site;
        }
        catch (MalformedMessageException caught)
        {
            exception = caught;
        }

        Assert.Contains("Site", exception?.Message, StringComparison.Ordinal);
        Assert.IsType<UriFormatException>(exception?.InnerException);
        Assert.Equal(0.01m, message.Price);
        delivery.Commit();
        Assert.True(consumer.TryRead(out var next));
        Assert.Equal("example.org", next.Message.Site?.Host);
    }
}
