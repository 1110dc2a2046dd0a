using BufferedMessages.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;

namespace BufferedMessages.Hosting.Tests;

/// <summary>Requests have no timeout here: a test that hangs has found a death that is not noticed.</summary>
public sealed class ResponderDeathTests : IDisposable
{
    private const string Held = "13";

    private readonly PriceHosts _hosts = new();

    public void Dispose() => _hosts.Dispose();

    [Fact]
    public async Task Without_a_responder_a_request_fails_at_once()
    {
        var client = await _hosts.StartClientAsync();

        var exception = await Assert.ThrowsAsync<ResponderLostException>(() => PriceHosts.AskAsync(client, 1));
        Assert.Equal(("prices", PriceHosts.Responder), (exception.QueueName, exception.ResponderName));
    }

    [Fact]
    public async Task The_loss_of_all_responders_is_logged_once_until_one_answers()
    {
        var client = await _hosts.StartClientAsync();
        for (var i = 0; i < 3; i++)
        {
            await Assert.ThrowsAsync<ResponderLostException>(() => PriceHosts.AskAsync(client, 1));
        }

        Assert.Single(_hosts.Log.Of(104));
        var responder = await _hosts.StartResponderAsync();
        Assert.Equal(42, await PriceHosts.AskAsync(client, 21));
        await responder.StopAsync();
        await Assert.ThrowsAsync<ResponderLostException>(() => PriceHosts.AskAsync(client, 1));
        Assert.Equal(2, _hosts.Log.Of(104).Count);
    }

    [Fact]
    public void A_look_that_fails_for_a_moment_takes_no_responder_for_dead()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        using var requests = MessageQueue.Open(_hosts.Requests);
        var look = new ResponderLook(new RequestClientIdentity("prices", "prices", PriceHosts.Responder, new RequestClientOptions(), NullLogger.Instance), requests);

        // Without the leases nobody can tell the living from the dead.
        using (new HiddenPath(Path.GetDirectoryName(ControlMap.LeasePath(requests.Path, slot: 0))!))
        {
            Assert.True(look.IsAlive());
        }

        Assert.False(look.IsAlive());
    }

    [Fact]
    public async Task A_client_whose_queue_of_requests_is_lost_does_not_blame_its_reply_queue()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        var client = await _hosts.StartClientAsync(static client => client.ResponderTimeout = Timeout.InfiniteTimeSpan);
        var request = PriceHosts.AskAsync(client, 21);
        File.Delete(Path.Combine(_hosts.Requests, ControlMap.FileName));

        await Assert.ThrowsAsync<StaleQueueException>(() => request);
        await TestHost.UntilAsync(() => _hosts.Log.Of(105).Count == 1, "the log");
        Assert.StartsWith("Queue prices, or the reply queue ", _hosts.Log.Of(105)[0].Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Timeout.Infinite)]
    [InlineData(3_600_000)]
    public async Task A_client_can_wait_for_a_responder_to_start(int milliseconds)
    {
        var client = await _hosts.StartClientAsync(client => client.ResponderTimeout = TimeSpan.FromMilliseconds(milliseconds));
        var request = PriceHosts.AskAsync(client, 21);

        // The request is long enough in the queue for several looks.
        await Task.Delay(200);
        Assert.False(request.IsCompleted);
        await _hosts.StartResponderAsync();
        Assert.Equal(42, await request);
    }

    [Fact]
    public async Task A_client_waits_for_a_responder_no_longer_than_it_was_told()
    {
        var client = await _hosts.StartClientAsync(static client => client.ResponderTimeout = TimeSpan.FromMilliseconds(100));

        var exception = await Assert.ThrowsAsync<ResponderLostException>(() => PriceHosts.AskAsync(client, 1).WaitAsync(TimeSpan.FromSeconds(60)));
        Assert.Contains("which is 00:00:00.1", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_request_that_has_killed_too_many_processes_fails_and_becomes_a_dead_letter()
    {
        using var responder = ChildProcess.Start(nameof(RequestParts.Answer), _hosts.Requests, Held);
        Assert.Equal("ready", responder.Hear());
        var client = await _hosts.StartClientAsync();
        var request = PriceHosts.AskAsync(client, 13);
        Assert.Equal("taken", responder.Hear());
        var host = await _hosts.StartResponderAsync(static responder => responder.MaxDeaths = 1);

        responder.Kill();
        var exception = await Assert.ThrowsAsync<RequestFailedException>(() => request);
        Assert.Equal("died", exception.ErrorType);
        var control = host.Services.GetRequiredKeyedService<MessageHandlerControl>("prices/pricing");
        await TestHost.UntilAsync(() => control.DeadLetters == 1, "the dead letter");
        Assert.Empty(_hosts.Pricing.Begun);
        using var letters = DeadLetterQueue.Open(_hosts.Requests, PriceHosts.Responder);
        var letter = Assert.Single(letters.List());
        Assert.Equal((1, null), (letter.Attempts, letter.ExceptionType));
    }

    [Fact]
    public async Task The_death_of_the_only_responder_ends_all_requests_and_later_ones_get_replies_of_its_successor()
    {
        using var responder = ChildProcess.Start(nameof(RequestParts.Answer), _hosts.Requests, Held);
        Assert.Equal("ready", responder.Hear());
        var client = await _hosts.StartClientAsync();
        Assert.Equal(42, await PriceHosts.AskAsync(client, 21));
        var requests = new[] { 13L, 14, 15 }.Select(article => PriceHosts.AskAsync(client, article)).ToList();
        Assert.Equal("taken", responder.Hear());

        responder.Kill();
        foreach (var request in requests)
        {
            await Assert.ThrowsAsync<ResponderLostException>(() => request);
        }

        await _hosts.StartResponderAsync();
        Assert.Equal(44, await PriceHosts.AskAsync(client, 22));
    }

    [Fact]
    public async Task The_request_of_a_dead_responder_is_answered_by_another_one()
    {
        using var responder = ChildProcess.Start(nameof(RequestParts.Answer), _hosts.Requests, Held);
        Assert.Equal("ready", responder.Hear());
        var client = await _hosts.StartClientAsync();
        var request = PriceHosts.AskAsync(client, 13);
        Assert.Equal("taken", responder.Hear());
        await _hosts.StartResponderAsync();

        responder.Kill();
        Assert.Equal(26, await request);
    }

    [Fact]
    public async Task The_reply_queue_of_a_dead_client_is_deleted_by_another_client()
    {
        _hosts.Pricing.Work = static async (article, stop) =>
        {
            await Task.Delay(article == 13 ? Timeout.Infinite : 0, stop);
            return new PriceReply { Price = 2 * article };
        };
        await _hosts.StartResponderAsync(static responder => (responder.Concurrency, responder.StopTimeout) = (2, TimeSpan.Zero));
        using var dead = ChildProcess.Start(nameof(RequestParts.Ask), _hosts.Requests, Held);
        Assert.Equal("42", dead.Hear());
        Assert.Equal("waits", dead.Hear());
        var orphan = Assert.Single(_hosts.ReplyQueues);
        dead.Kill();

        var client = await _hosts.StartClientAsync();
        Assert.Equal(42, await PriceHosts.AskAsync(client, 21));
        Assert.DoesNotContain(orphan, _hosts.ReplyQueues);
    }

    [Fact]
    public async Task A_reply_to_a_dead_client_is_dropped()
    {
        var gate = new TaskCompletionSource<PriceReply>();
        _hosts.Pricing.Work = (article, _) => article == 13 ? new ValueTask<PriceReply>(gate.Task) : new(new PriceReply { Price = 2 * article });
        await _hosts.StartResponderAsync();
        using var dead = ChildProcess.Start(nameof(RequestParts.Ask), _hosts.Requests, Held);
        Assert.Equal("42", dead.Hear());
        Assert.Equal("waits", dead.Hear());
        await TestHost.UntilAsync(() => _hosts.Pricing.Begun.Contains(13), "the request is taken");
        dead.Kill();

        gate.SetResult(new PriceReply());
        var client = await _hosts.StartClientAsync();
        Assert.Equal(42, await PriceHosts.AskAsync(client, 21));
    }

    [Fact]
    public async Task A_responder_in_another_process_answers_requests_of_many_threads()
    {
        using var responder = ChildProcess.Start(nameof(RequestParts.Answer), _hosts.Requests, Held);
        Assert.Equal("ready", responder.Hear());
        var client = await _hosts.StartClientAsync();

        var prices = await Task.WhenAll(Enumerable.Range(100, 2_000).Select(article => Task.Run(() => PriceHosts.AskAsync(client, article))));
        Assert.Equal(Enumerable.Range(100, 2_000).Select(static article => 2L * article), prices);
    }
}
