using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Hosting.Tests;

/// <summary>Dead letters of messages whose texts are longer than a property may be, or whose headers have the names of those of a dead letter.</summary>
public sealed class DeadLetterStoreTests : IDisposable
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(20);

    private readonly TestHost _test = new();

    public void Dispose() => _test.Dispose();

    [Fact]
    public async Task The_reason_of_a_dead_letter_is_the_beginning_of_a_long_message_of_an_exception()
    {
        var message = new string('x', 100_000);
        var host = await StartAsync(message);
        TestHost.Publish(host, 1, 2);

        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the next order");
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        Assert.Equal(message[..8_000], Assert.Single(letters.List()).Reason);
    }

    // Those of a copy that a bridge has published may be any bytes. As text, each of these becomes three.
    [Fact]
    public async Task An_order_whose_properties_are_too_long_as_text_becomes_a_dead_letter_with_its_source_alone()
    {
        const int headerKind = 8;
        const int dataBytes = 40_000;
        byte[] entries =
        [
            .. BitConverter.GetBytes((ushort)headerKind), .. BitConverter.GetBytes((ushort)dataBytes),
            .. BitConverter.GetBytes((ushort)1), (byte)'a', .. Enumerable.Repeat((byte)0xFF, dataBytes - 3),
        ];
        var host = await StartAsync("No.");
        var order = new Order { Id = 1 };
        var payload = new byte[order.CalculateSize()];
        order.Write(payload);
        var queue = host.Services.GetRequiredKeyedService<MessageQueue>("orders");
        long position;
        using (var producer = queue.OpenCopyProducer(queue.Content!, verify: true))
        {
            Assert.True(producer.TryPublishCopy(payload, entries, default, out position));
        }

        TestHost.Publish(host, 2);
        await TestHost.UntilAsync(() => _test.Desk.Done.Contains(2), "the next order");
        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        var letter = Assert.Single(letters.List());
        Assert.Equal((position, payload.Length, ""), (letter.Source!.Value.Position, letter.Bytes, letter.Reason));
        Assert.Empty(_test.Log.Of(9));
    }

    [Fact]
    public void Headers_of_a_message_with_the_names_of_those_of_a_dead_letter_are_kept_and_come_back_with_the_message()
    {
        string[] names = ["exception", "handler", "message.exception", "message.message.handler", "message.tenant", "published"];
        var properties = new MessageProperties();
        foreach (var name in names)
        {
            properties.Headers[name] = $"my {name}";
        }

        using var queue = MessageQueue.Open(_test.Orders, new MessageQueueOptions { SegmentBytes = TestHost.SegmentBytes });
        using (var store = new DeadLetterStore(queue, "shipping"))
        {
            store.Add("one"u8, properties, source: default, attempts: 1, "No.", exception: null);
        }

        using var letters = DeadLetterQueue.Open(_test.Orders, "shipping");
        var letter = Assert.Single(letters.List());
        Assert.Null(letter.ExceptionType);
        Assert.Null(letter.PublishedAt);
        using (var stored = MessageQueue.OpenExisting(letters.Path))
        {
            Assert.Equal(
                ["handler=shipping", "message.exception=my exception", "message.handler=my handler", "message.message.exception=my message.exception"],
                HeadersOfFirst(stored).Take(4));
        }

        Assert.Equal(1, letters.RequeueAll());
        Assert.Equal(names.Select(static name => $"{name}=my {name}"), HeadersOfFirst(queue));
    }

    private static List<string> HeadersOfFirst(MessageQueue queue)
    {
        using var reader = queue.OpenReader<RawMessage>();
        Assert.True(reader.TryRead(out var delivery));
        return [.. delivery.Properties.ToProperties().Headers.Select(static header => $"{header.Key}={header.Value}").Order(StringComparer.Ordinal)];
    }

    private Task<IHost> StartAsync(string message)
    {
        _test.Desk.Work = (id, _, _) => id == 1 ? throw new InvalidOperationException(message) : ValueTask.CompletedTask;
        return _test.StartAsync(static handler => (handler.Ordered, handler.RetryDelays, handler.BreakDuration) = (true, [], Short));
    }
}
