using Microsoft.Extensions.DependencyInjection;

namespace BufferedMessages.Hosting.Tests;

/// <summary>Requests that are published again although there is hardly room for their properties.</summary>
public sealed class RequeuedRequestTests : IDisposable
{
    private const int SegmentBytes = 1 << 16;

    private readonly PriceHosts _hosts = new();

    public void Dispose() => _hosts.Dispose();

    [Theory]
    [InlineData(0, false)]
    [InlineData(32, true)]
    public async Task A_requeued_request_that_fills_its_segment_is_handled_although_its_time_is_over(int room, bool hasSource)
    {
        var request = new PriceRequest { Article = 1, Note = new string('x', LengthOfFillingNote() - room) };
        var bytes = new byte[request.CalculateSize()];
        request.Write(bytes);
        var host = await _hosts.StartResponderAsync();
        using var queue = MessageQueue.OpenExisting(_hosts.Requests);
        using var producer = queue.OpenProducer<PriceRequest>();
        using (var store = new DeadLetterStore(queue, PriceHosts.Responder))
        {
            store.Add(bytes, ExpiredProperties(), queue.IdOf(0), attempts: 1, "No.", exception: null);
        }

        using var letters = DeadLetterQueue.Open(_hosts.Requests, PriceHosts.Responder);
        Assert.Equal(1, letters.RequeueAll());

        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/pricing");
        await TestHost.UntilAsync(() => control.Handled == 1, "the request");
        Assert.Equal([1L], _hosts.Pricing.Begun);
        Assert.Equal((hasSource, "1-a"), PropertiesOfFirst(queue));
    }

    private static MessageProperties ExpiredProperties() => new() { CorrelationId = "5", ReplyTo = "1-a", Headers = { ["expires"] = "1" } };

    private static (bool HasSource, string? ReplyTo) PropertiesOfFirst(MessageQueue queue)
    {
        using var reader = queue.OpenReader<RawMessage>();
        Assert.True(reader.TryRead(out var delivery));
        return (delivery.Properties.Source is not null, delivery.Properties.ReplyTo.ToString());
    }

    /// <summary>Finds the length of the note of a request that just fits into a segment with its properties. Messages grow by words.</summary>
    private int LengthOfFillingNote()
    {
        using var queue = MessageQueue.Open(Path.Combine(Path.GetDirectoryName(_hosts.Requests)!, "filled"), new MessageQueueOptions { SegmentBytes = SegmentBytes });
        using var producer = queue.OpenProducer<PriceRequest>();
        var length = SegmentBytes;
        while (true)
        {
            try
            {
                producer.Publish(new PriceRequest { Article = 1, Note = new string('x', length) }, ExpiredProperties());
                return length;
            }
            catch (MessageTooLargeException)
            {
                length -= sizeof(long);
            }
        }
    }
}
