using BufferedMessages.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Hosting.Tests;

/// <summary>Clients and responders that do not keep to the rules.</summary>
public sealed class HostileReplyTests : IDisposable
{
    private readonly PriceHosts _hosts = new();

    public void Dispose() => _hosts.Dispose();

    [Fact]
    public async Task A_malformed_reply_fails_its_request_only()
    {
        var client = await _hosts.StartClientAsync();
        using var queue = MessageQueue.OpenExisting(_hosts.Requests);
        using var responder = queue.OpenConsumer<PriceRequestBufferedMessage>(PriceHosts.Responder, new() { Shared = true });
        var (first, second) = (PriceHosts.AskAsync(client, 1), PriceHosts.AskAsync(client, 2));

        Answer(responder, static (producer, id) => producer.Publish([1, 2, 3], new MessageProperties { CorrelationId = id }));
        Answer(responder, static (producer, id) => producer.Publish(BytesOf(7), new MessageProperties { CorrelationId = id }));

        await Assert.ThrowsAsync<MalformedMessageException>(() => first);
        Assert.Equal(7, await second);
    }

    [Fact]
    public async Task Replies_to_no_request_are_dropped()
    {
        var client = await _hosts.StartClientAsync();
        using var queue = MessageQueue.OpenExisting(_hosts.Requests);
        using var responder = queue.OpenConsumer<PriceRequestBufferedMessage>(PriceHosts.Responder, new() { Shared = true });
        var request = PriceHosts.AskAsync(client, 1);

        Answer(responder, static (producer, id) =>
        {
            producer.Publish(BytesOf(1));
            foreach (var wrong in new[] { "", "zz", "7fffffffffffffff", new string('f', 1_000), "-1" })
            {
                producer.Publish(BytesOf(1), new MessageProperties { CorrelationId = wrong });
            }

            producer.Publish(BytesOf(7), new MessageProperties { CorrelationId = id });
            producer.Publish(BytesOf(8), new MessageProperties { CorrelationId = id });
        });

        Assert.Equal(7, await request);
    }

    [Fact]
    public async Task A_reply_of_another_type_is_a_failure()
    {
        var host = _hosts.Build(static prices => prices.AddResponder<PriceRequestBufferedMessage, Parcel, ParcelResponder>(PriceHosts.Responder));
        await host.StartAsync();
        var client = await _hosts.StartClientAsync();

        var exception = await Assert.ThrowsAsync<RequestFailedException>(() => PriceHosts.AskAsync(client, 1));
        Assert.Equal(typeof(SchemaMismatchException).FullName, exception.ErrorType);
    }

    [Fact]
    public async Task A_reply_that_is_too_large_is_a_failure()
    {
        _hosts.Pricing.Work = static (article, _) => new(new PriceReply { Note = article == 1 ? new string('n', 100_000) : null });
        await _hosts.StartResponderAsync();
        var client = await _hosts.StartClientAsync(static client => client.ReplySegmentBytes = 1 << 16);

        var exception = await Assert.ThrowsAsync<RequestFailedException>(() => PriceHosts.AskAsync(client, 1));
        Assert.Equal(typeof(MessageTooLargeException).FullName, exception.ErrorType);
        Assert.Equal(0, await PriceHosts.AskAsync(client, 2));
    }

    [Fact]
    public async Task A_malformed_request_fails_and_becomes_a_dead_letter()
    {
        var host = await _hosts.StartResponderAsync();
        using var replies = OpenReplies("1-a");
        using var consumer = replies.OpenConsumer<PriceReplyBufferedMessage>(ReplyFolder.ClientName);
        using var queue = MessageQueue.OpenExisting(_hosts.Requests);
        using var producer = queue.OpenProducer(SchemaOf<PriceRequest>(), verify: false);
        producer.Publish([1, 2, 3], new MessageProperties { CorrelationId = "5", ReplyTo = "1-a" });

        using var reply = await consumer.ReadAsync();
        Assert.Equal("5", reply.Properties.CorrelationId.ToString());
        Assert.True(reply.Properties.TryGetHeader("failure", out var type));
        Assert.Equal(typeof(MalformedMessageException).FullName, type.ToString());
        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/pricing");
        await TestHost.UntilAsync(() => control.DeadLetters == 1, "the dead letter");
    }

    [Theory]
    [InlineData("../prices")]
    [InlineData("/dev/shm/other")]
    [InlineData("..")]
    [InlineData("")]
    [InlineData("1-f")]
    public async Task An_address_that_is_not_a_reply_queue_is_ignored(string address)
    {
        var host = await _hosts.StartResponderAsync();
        using var queue = MessageQueue.OpenExisting(_hosts.Requests);
        using var producer = queue.OpenProducer<PriceRequest>();
        producer.Publish(new PriceRequest { Article = 1 }, new MessageProperties { CorrelationId = "5", ReplyTo = address });

        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/pricing");
        await TestHost.UntilAsync(() => control.Handled == 1, "the request");
        Assert.Equal(0, control.FailedAttempts);
        Assert.Empty(_hosts.ReplyQueues);
    }

    [Fact]
    public async Task A_client_that_does_not_read_does_not_hold_up_others()
    {
        _hosts.Pricing.Work = static (article, _) => new(new PriceReply { Price = 2 * article, Note = new string('n', 20_000) });
        await _hosts.StartResponderAsync();
        using var replies = OpenReplies("1-a");
        using var stopped = replies.OpenConsumer<PriceReplyBufferedMessage>(ReplyFolder.ClientName);
        var client = await _hosts.StartClientAsync();
        using var queue = MessageQueue.OpenExisting(_hosts.Requests);
        using var producer = queue.OpenProducer<PriceRequest>();
        for (var i = 0; i < 200; i++)
        {
            producer.Publish(new PriceRequest { Article = 1 }, new MessageProperties { CorrelationId = "5", ReplyTo = "1-a" });
        }

        Assert.Equal(42, await PriceHosts.AskAsync(client, 21));
        Assert.Single(_hosts.Log.Of(102));
        Assert.Contains("1-a", _hosts.ReplyQueues);
    }

    [Fact]
    public async Task A_client_whose_reply_queue_takes_no_producer_does_not_end_the_responder()
    {
        var host = await _hosts.StartResponderAsync();
        using var replies = MessageQueue.Open(
            Path.Combine(ReplyFolder.Of(_hosts.Requests), "1-a"), new MessageQueueOptions { Mode = QueueMode.Bounded, Producers = ProducerMode.Single, SegmentBytes = 1 << 16, Slots = 2 });
        using var consumer = replies.OpenConsumer<PriceReplyBufferedMessage>(ReplyFolder.ClientName);
        using var taken = replies.OpenProducer<PriceReply>();
        using var queue = MessageQueue.OpenExisting(_hosts.Requests);
        using var producer = queue.OpenProducer<PriceRequest>();
        producer.Publish(new PriceRequest { Article = 1 }, new MessageProperties { CorrelationId = "5", ReplyTo = "1-a" });

        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/pricing");
        await TestHost.UntilAsync(() => control.DeadLetters == 1 || control.State == MessageHandlerState.Failed, "the dead letter");
        Assert.Equal(MessageHandlerState.Running, control.State);
        Assert.Single(_hosts.Log.Of(106));
        var client = await _hosts.StartClientAsync();
        Assert.Equal(42, await PriceHosts.AskAsync(client, 21));
    }

    [Fact]
    public async Task A_reply_queue_that_a_client_is_opening_is_not_deleted()
    {
        using var replies = OpenReplies("1-a");
        replies.OpenConsumer<PriceReplyBufferedMessage>(ReplyFolder.ClientName).Dispose();
        await _hosts.StartClientAsync();

        Assert.Contains("1-a", _hosts.ReplyQueues);
    }

    [Fact]
    public void A_reply_queue_that_cannot_be_looked_at_may_have_a_client()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        using var replies = OpenReplies("1-a");
        using var consumer = replies.OpenConsumer<PriceReplyBufferedMessage>(ReplyFolder.ClientName);
        using (new HiddenPath(ReplyFolder.Of(_hosts.Requests)))
        {
            Assert.True(ReplyFolder.HasClient(replies.Path));
        }
    }

    [Fact]
    public async Task A_reply_to_a_client_whose_queue_cannot_be_opened_for_a_moment_is_not_dropped()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        var host = await _hosts.StartResponderAsync();
        using var replies = OpenReplies("1-a");
        using var consumer = replies.OpenConsumer<PriceReplyBufferedMessage>(ReplyFolder.ClientName);
        using var queue = MessageQueue.OpenExisting(_hosts.Requests);
        using var producer = queue.OpenProducer<PriceRequest>();
        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/pricing");

        // No producer can be opened without a lease.
        using (new HiddenPath(Path.GetDirectoryName(ControlMap.LeasePath(replies.Path, slot: 0))!))
        {
            producer.Publish(new PriceRequest { Article = 1 }, new MessageProperties { CorrelationId = "5", ReplyTo = "1-a" });
            await TestHost.UntilAsync(() => control is { DeadLetters: 1 } or { Handled: 1 }, "the request");
        }

        Assert.Equal((0, 1), (control.Handled, control.DeadLetters));
        Assert.Single(_hosts.Log.Of(106));
        Assert.Empty(_hosts.Log.Of(103));
    }

    private static MessageSchema SchemaOf<T>()
        where T : IBufferedMessageSource<T>
        => T.Schema;

    private static byte[] BytesOf(long price)
    {
        var reply = new PriceReply { Price = price };
        var bytes = new byte[reply.CalculateSize()];
        reply.Write(bytes);
        return bytes;
    }

    private MessageQueue OpenReplies(string name) =>
        MessageQueue.Open(Path.Combine(ReplyFolder.Of(_hosts.Requests), name), new MessageQueueOptions { Mode = QueueMode.Bounded, SegmentBytes = 1 << 16, Slots = 2 });

    private void Answer(MessageConsumer<PriceRequestBufferedMessage> responder, Action<MessageProducer, string> send)
    {
        Assert.True(responder.TryRead(out var request, Timeout.InfiniteTimeSpan));
        using var replies = MessageQueue.OpenExisting(Path.Combine(ReplyFolder.Of(_hosts.Requests), request.Properties.ReplyTo.ToString()!));
        using var producer = replies.OpenProducer(SchemaOf<PriceReply>(), verify: false);
        send(producer, request.Properties.CorrelationId.ToString()!);
        request.Commit();
    }

    private sealed class ParcelResponder : IResponder<PriceRequestBufferedMessage, Parcel>
    {
        public ValueTask<Parcel> RespondAsync(PriceRequestBufferedMessage request, MessageContext context, CancellationToken cancellationToken) => new(new Parcel { Weight = request.Article });
    }
}
