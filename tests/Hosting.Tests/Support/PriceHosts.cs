using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Hosting.Tests;

/// <summary>Hosts with clients of requests and responders, over the queue "prices" of a test.</summary>
internal sealed class PriceHosts : IDisposable
{
    public const string Responder = "pricing";

    private readonly TestHost _test = new();

    /// <summary>The responder of all hosts.</summary>
    public Pricing Pricing { get; } = new();

    public LogLines Log => _test.Log;

    /// <summary>The directory of the queue of requests.</summary>
    public string Requests => Path.Combine(_test.Root, "prices");

    /// <summary>The names of the reply queues that are there.</summary>
    public IEnumerable<string> ReplyQueues => Directory.Exists(ReplyFolder.Of(Requests)) ? Directory.EnumerateDirectories(ReplyFolder.Of(Requests)).Select(static path => Path.GetFileName(path)) : [];

    public static Task<long> AskAsync(RequestClient<PriceRequest, PriceReplyBufferedMessage> client, long article, TimeSpan? timeout = null, CancellationToken cancellationToken = default) =>
        client.SendAsync(new PriceRequest { Article = article }, static reply => reply.Price, timeout ?? Timeout.InfiniteTimeSpan, cancellationToken);

    public async Task<RequestClient<PriceRequest, PriceReplyBufferedMessage>> StartClientAsync(Action<RequestClientOptions>? configure = null, Action<MessageQueueSettings>? open = null)
    {
        var host = Build(prices => prices.AddRequestClient<PriceRequest, PriceReplyBufferedMessage>(Responder, configure), open);
        await host.StartAsync();
        return host.Services.GetRequiredService<RequestClient<PriceRequest, PriceReplyBufferedMessage>>();
    }

    /// <summary>Starts a host with the responder.</summary>
    /// <param name="configure">Changes its options.</param>
    /// <param name="isPaused">Whether it is paused before it begins. A worker that is about to take a request when the responder is paused may still answer it.</param>
    public async Task<IHost> StartResponderAsync(Action<MessageHandlerOptions>? configure = null, bool isPaused = false)
    {
        var host = Build(prices => prices.AddResponder<PriceRequestBufferedMessage, PriceReply, Pricing>(Responder, configure));
        if (isPaused)
        {
            host.Services.GetRequiredKeyedService<MessageHandlerControl>($"prices/{Responder}").Pause();
        }

        await host.StartAsync();
        return host;
    }

    public IHost Build(Action<MessageQueueBuilder> add, Action<MessageQueueSettings>? open = null) => _test.Build(services =>
    {
        services.AddSingleton(Pricing);
        add(services.AddMessageQueue("prices", queue =>
        {
            queue.Directory = "prices";
            queue.Options.SegmentBytes = 1 << 16;
            open?.Invoke(queue);
        }));
    });

    public void Dispose() => _test.Dispose();
}
