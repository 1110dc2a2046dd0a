using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using OpenTelemetry;
using OpenTelemetry.Trace;

namespace BufferedMessages.Hosting.Tests;

/// <summary>The parts of started processes. They speak to the test in lines.</summary>
internal static class Parts
{
    public const string SourceName = "BufferedMessages.Hosting.Tests";

    /// <summary>Handles orders, and dies by SIGKILL with that of an id. Says the id of each order.</summary>
    public static void DieWith(string[] arguments)
    {
        var fatal = long.Parse(arguments[1], CultureInfo.InvariantCulture);
        var isOrdered = bool.Parse(arguments[2]);
        var desk = new Desk
        {
            Work = (id, _, _) =>
            {
                Console.WriteLine(id.ToString(CultureInfo.InvariantCulture));
                if (id == fatal)
                {
                    Process.GetCurrentProcess().Kill();
                    Thread.Sleep(Timeout.Infinite);
                }

                return ValueTask.CompletedTask;
            },
        };
        var builder = Host.CreateEmptyApplicationBuilder(settings: null);
        builder.Services.AddSingleton(desk);
        builder.Services.AddMessageQueue("orders", queue => queue.Directory = arguments[0])
            .AddHandler<OrderBufferedMessage, OrderHandler>("shipping", handler => handler.Ordered = isOrdered);
        using var host = builder.Build();
        host.Start();
        Thread.Sleep(Timeout.Infinite);
    }

    /// <summary>Takes a message as a member of a group, and keeps it until it is killed.</summary>
    public static void HoldMessage(string[] arguments)
    {
        using var queue = MessageQueue.Open(arguments[0]);
        using var member = queue.OpenConsumer<RawMessage>("shipping", new() { Shared = true });
        Console.WriteLine(member.TryRead(out _) ? "taken" : "nothing");
        Thread.Sleep(Timeout.Infinite);
    }

    /// <summary>Publishes an order in a span, and says the ids of its trace and its span.</summary>
    public static void PublishInSpan(string[] arguments)
    {
        using var provider = Sdk.CreateTracerProviderBuilder().AddSource(SourceName).Build();
        using var source = new ActivitySource(SourceName);
        var builder = Host.CreateEmptyApplicationBuilder(settings: null);
        builder.Services.AddMessageQueue("orders", queue =>
        {
            queue.Directory = arguments[0];
            queue.Options.SegmentBytes = TestHost.SegmentBytes;
        }).AddPublisher<Order>();
        using var host = builder.Build();
        host.Start();
        using var span = source.StartActivity("order");
        host.Services.GetRequiredService<MessagePublisher<Order>>().Publish(new Order { Id = 1 });
        Console.WriteLine($"{span!.TraceId} {span.SpanId}");
    }
}
