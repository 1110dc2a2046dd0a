using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.Hosting.Tests;

/// <summary>The parts of processes that ask for prices, and answer. They speak to the test in lines.</summary>
internal static class RequestParts
{
    /// <summary>Answers requests, except for one article: takes that request, says so, and keeps it until it is killed.</summary>
    public static void Answer(string[] arguments)
    {
        var held = long.Parse(arguments[1], CultureInfo.InvariantCulture);
        var pricing = new Pricing
        {
            Work = async (article, _) =>
            {
                if (article == held)
                {
                    Console.WriteLine("taken");
                    await Task.Delay(Timeout.Infinite, CancellationToken.None);
                }

                return new PriceReply { Price = 2 * article };
            },
        };
        using var host = Build(arguments[0], prices => prices.AddResponder<PriceRequestBufferedMessage, PriceReply, Pricing>(PriceHosts.Responder), pricing);
        host.Start();
        Console.WriteLine("ready");
        Thread.Sleep(Timeout.Infinite);
    }

    /// <summary>Asks for a price, says the reply, then asks for another one and says that it waits.</summary>
    public static void Ask(string[] arguments)
    {
        using var host = Build(arguments[0], static prices => prices.AddRequestClient<PriceRequest, PriceReplyBufferedMessage>(PriceHosts.Responder), new Pricing());
        host.Start();
        var client = host.Services.GetRequiredService<RequestClient<PriceRequest, PriceReplyBufferedMessage>>();
        Console.WriteLine(PriceHosts.AskAsync(client, 21).GetAwaiter().GetResult().ToString(CultureInfo.InvariantCulture));
        var second = PriceHosts.AskAsync(client, long.Parse(arguments[1], CultureInfo.InvariantCulture));
        Console.WriteLine("waits");
        Console.WriteLine(second.GetAwaiter().GetResult().ToString(CultureInfo.InvariantCulture));
    }

    private static IHost Build(string directory, Action<MessageQueueBuilder> add, Pricing pricing)
    {
        var builder = Host.CreateEmptyApplicationBuilder(settings: null);
        builder.Services.AddSingleton(pricing);
        add(builder.Services.AddMessageQueue("prices", queue =>
        {
            queue.Directory = directory;
            queue.Options.SegmentBytes = 1 << 16;
        }));
        return builder.Build();
    }
}
