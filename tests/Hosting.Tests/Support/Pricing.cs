using System.Collections.Concurrent;

namespace BufferedMessages.Hosting.Tests;

/// <summary>The responder of the tests. It is a singleton, and its work is what a test defines; by default the price is twice the article.</summary>
internal sealed class Pricing : IResponder<PriceRequestBufferedMessage, PriceReply>
{
    /// <summary>The articles of the attempts, in order.</summary>
    public ConcurrentQueue<long> Begun { get; } = new();

    public Func<long, CancellationToken, ValueTask<PriceReply>> Work { get; set; } = static (article, _) => new(new PriceReply { Price = 2 * article });

    public ValueTask<PriceReply> RespondAsync(PriceRequestBufferedMessage request, MessageContext context, CancellationToken cancellationToken)
    {
        Begun.Enqueue(request.Article);
        return Work(request.Article, cancellationToken);
    }
}
