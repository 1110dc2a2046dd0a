using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Hosting.Tests;

/// <summary>Dead letters whose texts are longer than a property may be, whose headers have the names of those of a dead letter, or that do not get to the disk.</summary>
public sealed class DeadLetterStoreTests : IDisposable
{
    private const int CancellingEvent = 5;
    private const int DeadLetteredEvent = 8;
    private const int NotStoredEvent = 9;

    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

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

    [Fact]
    public async Task A_host_stops_while_an_unfinished_message_of_another_producer_keeps_a_dead_letter_from_the_disk()
    {
        _test.Desk.Work = static (_, _, _) => throw new InvalidOperationException("No.");
        using var queue = OpenFlushed();
        var host = await _test.StartAsync(static handler => handler.RetryDelays = []);
        TestHost.Publish(host, 1);
        await TestHost.UntilAsync(() => _test.Log.Of(DeadLetteredEvent).Count == 1, "the first dead letter");
        using var letters = MessageQueue.OpenExisting(Path.Combine(_test.Orders, "dead", "shipping"));
        using var writing = letters.OpenCopyProducer(letters.Content!, verify: false);
        HoldClaim(writing);
        TestHost.Publish(host, 2);
        await TestHost.UntilAsync(() => PublishedIn(letters) == 2, "the second dead letter");

        await host.StopAsync();

        Assert.Empty(_test.Log.Of(CancellingEvent));
        Assert.Empty(_test.Log.Of(NotStoredEvent));
        Assert.Single(_test.Log.Of(DeadLetteredEvent));
    }

    [Fact]
    public async Task The_store_is_closed_while_a_dead_letter_waits_for_the_disk()
    {
        using var queue = OpenFlushed();
        using var store = new DeadLetterStore(queue, "shipping");
        store.Add("one"u8, new MessageProperties(), new MessageId(queue.Id, 1, 0), attempts: 1, "No.", exception: null);
        using var letters = MessageQueue.OpenExisting(store.Directory);
        using var writing = letters.OpenProducer();
        HoldClaim(writing);
        using var stop = new CancellationTokenSource();

        var adding = Task.Run(() => store.Add("two"u8, new MessageProperties(), new MessageId(queue.Id, 1, 64), attempts: 1, "No.", exception: null, stop.Token), CancellationToken.None);
        await TestHost.UntilAsync(() => PublishedIn(letters) == 2, "the second dead letter");
        await Task.Run(store.Dispose, CancellationToken.None).WaitAsync(Generous);
        await stop.CancelAsync();

        // The wait may not have begun when the store was closed.
        var failure = await Record.ExceptionAsync(() => adding.WaitAsync(Generous));
        Assert.True(failure is OperationCanceledException or ObjectDisposedException, $"{failure}");
    }

    private static void HoldClaim(MessageProducer producer) => producer.Claim(100).Span.Clear();

    private static long PublishedIn(MessageQueue letters) => letters.GetStatistics().Producers.Sum(static producer => producer.Messages);

    private MessageQueue OpenFlushed() => MessageQueue.Open(_test.Orders, new MessageQueueOptions { SegmentBytes = TestHost.SegmentBytes, Flush = FlushMode.Interval });

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
