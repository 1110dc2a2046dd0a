using System.Globalization;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace BufferedMessages.Hosting.Tests;

public sealed class RequestTests : IDisposable
{
    private readonly PriceHosts _hosts = new();

    public void Dispose() => _hosts.Dispose();

    [Fact]
    public async Task A_request_gets_its_reply()
    {
        await _hosts.StartResponderAsync();
        var client = await _hosts.StartClientAsync();

        Assert.Equal(42, await PriceHosts.AskAsync(client, 21));
    }

    [Fact]
    public async Task The_reply_queue_has_the_mode_of_the_queue_although_the_options_do_not_name_it()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        const UnixFileMode OfAll = (UnixFileMode)0x1B6;
        MessageQueue.Open(_hosts.Requests, new MessageQueueOptions { SegmentBytes = 1 << 16, FileMode = OfAll }).Dispose();
        await _hosts.StartResponderAsync();
        var client = await _hosts.StartClientAsync();
        Assert.Equal(42, await PriceHosts.AskAsync(client, 21));

        var folder = new DirectoryInfo(ReplyFolder.Of(_hosts.Requests));
        Assert.All(folder.EnumerateFileSystemInfos("*", SearchOption.AllDirectories).Append(folder), static entry => Assert.Equal(entry is DirectoryInfo ? (UnixFileMode)0x1FF : OfAll, entry.UnixFileMode));
    }

    [Fact]
    public async Task A_responder_answers_new_clients_after_a_change_of_the_configuration_that_is_not_valid()
    {
        var host = _hosts.Build(static prices =>
        {
            prices.Settings.BindConfiguration("Queues:Prices");
            prices.AddResponder<PriceRequestBufferedMessage, PriceReply, Pricing>(PriceHosts.Responder);
        });
        await host.StartAsync();
        var configuration = (IConfigurationRoot)host.Services.GetRequiredService<IConfiguration>();
        configuration["Queues:Prices:SharedName"] = "prices";
        Assert.Throws<AggregateException>(configuration.Reload);
        Assert.Throws<OptionsValidationException>(() => host.Services.GetRequiredService<IOptionsMonitor<MessageQueueSettings>>().Get("prices"));

        var client = await _hosts.StartClientAsync();
        Assert.Equal(42, await PriceHosts.AskAsync(client, 21));
    }

    [Fact]
    public async Task Client_and_responder_may_share_a_host()
    {
        var host = _hosts.Build(static prices => prices
            .AddRequestClient<PriceRequest, PriceReplyBufferedMessage>(PriceHosts.Responder)
            .AddResponder<PriceRequestBufferedMessage, PriceReply, Pricing>(PriceHosts.Responder));
        await host.StartAsync();

        Assert.Equal(42, await PriceHosts.AskAsync(host.Services.GetRequiredKeyedService<RequestClient<PriceRequest, PriceReplyBufferedMessage>>("prices"), 21));
    }

    [Fact]
    public async Task Requests_of_many_threads_and_clients_get_their_own_replies()
    {
        _hosts.Pricing.Work = static async (article, stop) =>
        {
            // Replies come in another order than the requests.
            await Task.Delay((int)(article % 3), stop);
            return new PriceReply { Price = 2 * article };
        };
        await _hosts.StartResponderAsync(static responder => responder.Concurrency = 4);
        var clients = new List<RequestClient<PriceRequest, PriceReplyBufferedMessage>>();
        for (var i = 0; i < 5; i++)
        {
            clients.Add(await _hosts.StartClientAsync());
        }

        var prices = await Task.WhenAll(Enumerable.Range(0, 500).Select(article => Task.Run(() => PriceHosts.AskAsync(clients[article % clients.Count], article))));

        Assert.Equal(Enumerable.Range(0, 500).Select(static article => 2L * article), prices);
    }

    [Fact]
    public async Task A_request_without_a_reply_in_time_fails_and_a_late_reply_is_dropped()
    {
        var gate = new TaskCompletionSource<PriceReply>();
        _hosts.Pricing.Work = (article, _) => article == 1 ? new ValueTask<PriceReply>(gate.Task) : new(new PriceReply { Price = 7 });
        await _hosts.StartResponderAsync();
        var client = await _hosts.StartClientAsync();

        var exception = await Assert.ThrowsAsync<TimeoutException>(() => PriceHosts.AskAsync(client, 1, TimeSpan.FromMilliseconds(50)));
        Assert.Contains("'pricing' of the queue 'prices'", exception.Message, StringComparison.Ordinal);
        gate.SetResult(new PriceReply { Price = -1 });
        Assert.Equal(7, await PriceHosts.AskAsync(client, 2));
    }

    [Fact]
    public async Task A_request_that_is_not_begun_in_time_is_not_handled()
    {
        var host = await _hosts.StartResponderAsync(isPaused: true);
        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/pricing");
        var client = await _hosts.StartClientAsync();
        await Assert.ThrowsAsync<TimeoutException>(() => PriceHosts.AskAsync(client, 1, TimeSpan.FromMilliseconds(1)));

        // Requests expire by whole seconds.
        await Task.Delay(TimeSpan.FromSeconds(2.5));
        control.Resume();
        Assert.Equal(4, await PriceHosts.AskAsync(client, 2));
        Assert.Equal([2L], _hosts.Pricing.Begun);
    }

    [Fact]
    public async Task A_request_is_not_handled_in_the_second_after_the_end_of_its_wait()
    {
        var host = await _hosts.StartResponderAsync();
        using var queue = MessageQueue.OpenExisting(_hosts.Requests);
        using var producer = queue.OpenProducer<PriceRequest>();
        var properties = new MessageProperties { CorrelationId = "5", ReplyTo = "1-a" };
        properties.Headers["expires"] = DateTimeOffset.UtcNow.ToUnixTimeSeconds().ToString(CultureInfo.InvariantCulture);
        producer.Publish(new PriceRequest { Article = 1 }, properties);

        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/pricing");
        await TestHost.UntilAsync(() => control.Handled == 1, "the request");
        Assert.Empty(_hosts.Pricing.Begun);
    }

    [Fact]
    public async Task A_request_that_is_requeued_is_handled_although_its_time_is_over()
    {
        var host = await _hosts.StartResponderAsync();
        using var queue = MessageQueue.OpenExisting(_hosts.Requests);
        using var producer = queue.OpenProducer<PriceRequest>();
        var request = new PriceRequest { Article = 1 };
        var bytes = new byte[request.CalculateSize()];
        request.Write(bytes);
        using (var store = new DeadLetterStore(queue, PriceHosts.Responder))
        {
            store.Add(bytes, new MessageProperties { CorrelationId = "5", ReplyTo = "1-a", Headers = { ["expires"] = "1" } }, queue.IdOf(0), attempts: 1, "No.", exception: null);
        }

        using var letters = DeadLetterQueue.Open(_hosts.Requests, PriceHosts.Responder);
        Assert.Equal(1, letters.RequeueAll());
        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/pricing");
        await TestHost.UntilAsync(() => control.Handled == 1, "the request");
        Assert.Equal([1L], _hosts.Pricing.Begun);
    }

    [Fact]
    public async Task A_wait_can_be_cancelled()
    {
        _hosts.Pricing.Work = static async (article, stop) =>
        {
            await Task.Delay(article == 1 ? Timeout.Infinite : 0, stop);
            return new PriceReply { Price = 7 };
        };
        await _hosts.StartResponderAsync(static responder => (responder.Concurrency, responder.StopTimeout) = (2, TimeSpan.Zero));
        var client = await _hosts.StartClientAsync();
        using var cancel = new CancellationTokenSource();

        var waiting = PriceHosts.AskAsync(client, 1, timeout: null, cancel.Token);
        await TestHost.UntilAsync(() => _hosts.Pricing.Begun.Contains(1), "the request is taken");
        await cancel.CancelAsync();
        Assert.Equal(cancel.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting)).CancellationToken);
        Assert.Equal(7, await PriceHosts.AskAsync(client, 2));
        Assert.True(PriceHosts.AskAsync(client, 3, timeout: null, cancel.Token).IsCanceled);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(2, 3)]
    public async Task A_failure_of_the_responder_reaches_the_caller_after_the_last_attempt(int retries, int attempts)
    {
        _hosts.Pricing.Work = static (_, _) => throw new InvalidDataException("No such article.");
        var host = await _hosts.StartResponderAsync(responder => responder.RetryDelays = [.. Enumerable.Repeat(TimeSpan.FromMilliseconds(1), retries)]);
        var client = await _hosts.StartClientAsync();

        var exception = await Assert.ThrowsAsync<RequestFailedException>(() => PriceHosts.AskAsync(client, 1));
        Assert.Equal(("No such article.", typeof(InvalidDataException).FullName), (exception.Reason, exception.ErrorType));
        Assert.Equal(attempts, _hosts.Pricing.Begun.Count);
        Assert.Equal(0, host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/pricing").DeadLetters);
        await TestHost.UntilAsync(() => _hosts.Log.Of(101).Count == 1, "the log");
    }

    [Fact]
    public void Options_of_a_responder_may_be_set_before_it_is_added()
    {
        var host = _hosts.Build(static prices =>
        {
            prices.Services.Configure<MessageHandlerOptions>("prices/pricing", static responder => responder.RetryDelays = [TimeSpan.FromSeconds(1)]);
            prices.AddResponder<PriceRequestBufferedMessage, PriceReply, Pricing>(PriceHosts.Responder, static responder => responder.Concurrency = 2);
        });

        var options = host.Services.GetRequiredService<IOptionsMonitor<MessageHandlerOptions>>().Get("prices/pricing");
        Assert.Equal([TimeSpan.FromSeconds(1)], options.RetryDelays);
        Assert.Equal((2, null, true), (options.Concurrency, options.BreakAfter, options.ContinueTrace));
    }

    [Fact]
    public async Task Failed_requests_do_not_pause_the_responder()
    {
        _hosts.Pricing.Work = static (article, _) => article < 50 ? throw new InvalidDataException("No such article.") : new(new PriceReply { Price = 7 });
        await _hosts.StartResponderAsync();
        var client = await _hosts.StartClientAsync();

        await Task.WhenAll(Enumerable.Range(0, 50).Select(article => Assert.ThrowsAsync<RequestFailedException>(() => PriceHosts.AskAsync(client, article))));
        Assert.Equal(7, await PriceHosts.AskAsync(client, 50));
    }

    [Fact]
    public async Task A_failed_message_that_asks_for_no_reply_becomes_a_dead_letter()
    {
        _hosts.Pricing.Work = static (_, _) => throw new InvalidDataException("No such article.");
        var host = await _hosts.StartResponderAsync();
        using var queue = MessageQueue.OpenExisting(_hosts.Requests);
        using var producer = queue.OpenProducer<PriceRequest>();
        producer.Publish(new PriceRequest { Article = 1 });

        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/pricing");
        await TestHost.UntilAsync(() => control.DeadLetters == 1, "the dead letter");
    }

    [Fact]
    public async Task A_function_that_cannot_read_the_reply_fails_its_own_request_only()
    {
        await _hosts.StartResponderAsync();
        var client = await _hosts.StartClientAsync();

        var failed = client.SendAsync<long>(new PriceRequest { Article = 1 }, static _ => throw new InvalidDataException("unreadable"));
        Assert.Equal("unreadable", (await Assert.ThrowsAsync<InvalidDataException>(() => failed)).Message);
        Assert.Equal(4, await PriceHosts.AskAsync(client, 2));
    }

    [Fact]
    public async Task Requests_wait_for_room_in_a_full_queue()
    {
        static void Bounded(MessageQueueSettings queue) => (queue.Options.Mode, queue.Options.Slots) = (QueueMode.Bounded, 2);

        var host = _hosts.Build(static prices => prices.AddResponder<PriceRequestBufferedMessage, PriceReply, Pricing>(PriceHosts.Responder), Bounded);
        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/pricing");
        control.Pause();
        await host.StartAsync();
        var client = await _hosts.StartClientAsync(configure: null, Bounded);
        var note = new string('n', 20_000);
        var requests = Enumerable.Range(0, 30).Select(article => client.SendAsync(new PriceRequest { Article = article, Note = note }, static reply => reply.Price, Timeout.InfiniteTimeSpan)).ToList();
        using var cancel = new CancellationTokenSource();
        var cancelled = client.SendAsync(new PriceRequest { Article = 99, Note = note }, static reply => reply.Price, Timeout.InfiniteTimeSpan, cancel.Token);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled);

        control.Resume();
        Assert.Equal(Enumerable.Range(0, 30).Select(static article => 2L * article), await Task.WhenAll(requests));
        Assert.DoesNotContain(99, _hosts.Pricing.Begun);
    }

    [Fact]
    public async Task A_request_that_ended_before_there_was_room_for_it_does_not_wait_for_room_any_longer()
    {
        static void Bounded(MessageQueueSettings queue) => (queue.Options.Mode, queue.Options.Slots) = (QueueMode.Bounded, 2);

        var responder = _hosts.Build(static prices => prices.AddResponder<PriceRequestBufferedMessage, PriceReply, Pricing>(PriceHosts.Responder), Bounded);
        await responder.StartAsync();
        await responder.StopAsync();
        var client = await _hosts.StartClientAsync(configure: null, Bounded);
        var requests = await LoseAsync(client);

        // The method has come back to its caller from within itself, and still has the requests.
        await Task.Yield();
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                GC.Collect();
                return requests.TrueForAll(static request => !request.TryGetTarget(out _));
            },
            TimeSpan.FromSeconds(60)));
    }

    [Fact]
    public async Task A_closed_client_ends_its_requests_and_deletes_its_reply_queue()
    {
        _hosts.Pricing.Work = static async (article, stop) =>
        {
            await Task.Delay(article == 1 ? Timeout.Infinite : 0, stop);
            return new PriceReply();
        };
        await _hosts.StartResponderAsync(static responder => (responder.Concurrency, responder.StopTimeout) = (2, TimeSpan.Zero));
        var client = await _hosts.StartClientAsync();
        await PriceHosts.AskAsync(client, 2);
        Assert.Single(_hosts.ReplyQueues);
        var waiting = PriceHosts.AskAsync(client, 1);

        client.Dispose();
        client.Dispose();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => PriceHosts.AskAsync(client, 3));
        Assert.Empty(_hosts.ReplyQueues);
    }

    [Fact]
    public void A_token_does_not_keep_a_request_that_has_ended_before_it_was_registered()
    {
        using var queue = MessageQueue.Open(_hosts.Requests);
        using var stop = new CancellationTokenSource();
        var request = EndedRequest(queue, stop.Token);

        Assert.True(SpinWait.SpinUntil(() => IsCollected(request), TimeSpan.FromSeconds(60)));
    }

    [Fact]
    public async Task A_client_whose_reply_queue_was_deleted_opens_another_one()
    {
        await _hosts.StartResponderAsync();
        var client = await _hosts.StartClientAsync();
        var first = Assert.Single(_hosts.ReplyQueues);
        Directory.Delete(Path.Combine(ReplyFolder.Of(_hosts.Requests), first), recursive: true);

        await TestHost.UntilAsync(
            () =>
            {
                try
                {
                    return PriceHosts.AskAsync(client, 21, TimeSpan.FromSeconds(1)).GetAwaiter().GetResult() == 42 && _hosts.ReplyQueues.Any();
                }
                catch (Exception exception) when (exception is StaleQueueException or ObjectDisposedException or TimeoutException)
                {
                    return false;
                }
            },
            "a reply in another queue");
        Assert.NotEqual(first, Assert.Single(_hosts.ReplyQueues));
    }

    [Fact]
    public async Task All_invalid_options_of_a_client_are_reported_at_once()
    {
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => _hosts.StartClientAsync(static client =>
            (client.Timeout, client.ResponderTimeout, client.ReplySegmentBytes) = (TimeSpan.Zero, TimeSpan.FromDays(100), 1_000)));

        Assert.Equal(["Timeout", "ResponderTimeout", "ReplySegmentBytes"], exception.Failures.Select(static failure => failure.Split(' ')[0]));
    }

    [Fact]
    public async Task Invalid_times_and_second_clients_are_refused()
    {
        var client = await _hosts.StartClientAsync();
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => PriceHosts.AskAsync(client, 1, TimeSpan.Zero));
        await Assert.ThrowsAsync<ArgumentNullException>(() => client.SendAsync(null!, static reply => reply.Price));

        Assert.Throws<InvalidOperationException>(() => _hosts.Build(static prices => prices
            .AddRequestClient<PriceRequest, PriceReplyBufferedMessage>("one").AddRequestClient<PriceRequest, PriceReplyBufferedMessage>("two")));
    }

    /// <summary>Sends more requests than the queue has room for, none of which is answered.</summary>
    private static async Task<List<WeakReference<PriceRequest>>> LoseAsync(RequestClient<PriceRequest, PriceReplyBufferedMessage> client)
    {
        var requests = Enumerable.Range(0, 30).Select(static article => new PriceRequest { Article = article, Note = new string('n', 20_000) }).ToList();
        foreach (var reply in requests.Select(request => client.SendAsync(request, static reply => reply.Price, Timeout.InfiniteTimeSpan)).ToList())
        {
            await Assert.ThrowsAsync<ResponderLostException>(() => reply);
        }

        return requests.ConvertAll(static request => new WeakReference<PriceRequest>(request));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference<PendingRequest<PriceReplyBufferedMessage>> EndedRequest(MessageQueue queue, CancellationToken cancellationToken)
    {
        var options = new RequestClientOptions { ResponderTimeout = Timeout.InfiniteTimeSpan };
        var client = new RequestClientIdentity("prices", "prices", PriceHosts.Responder, options, NullLogger.Instance);
        var request = new PendingRequest<PriceReplyBufferedMessage, long>(client, Timeout.InfiniteTimeSpan, static reply => reply.Price);
        using (var inbox = new ReplyInbox<PriceReplyBufferedMessage>(client, queue))
        {
            Assert.True(inbox.TryAdd(request));
            inbox.Dispose();
            request.CancelBy(inbox, cancellationToken);
        }

        Assert.IsType<ObjectDisposedException>(request.Task.Exception?.InnerException);
        return new WeakReference<PendingRequest<PriceReplyBufferedMessage>>(request);
    }

    private static bool IsCollected(WeakReference<PendingRequest<PriceReplyBufferedMessage>> request)
    {
        GC.Collect();
        return !request.TryGetTarget(out _);
    }
}
